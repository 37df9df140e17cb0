/** A room (folder) whose code is mutated, and the tests that must detect the mutants. */
export type Room = {
  /** Globs of the files to mutate. */
  files: string[];
  /** Globs of the tests to run. */
  tests: string[];
  /** Percentage of the mutants that the tests must detect. */
  goal: number;
};

export const rooms: Record<string, Room> = {
  accounts: {
    files: ['shared/accounts/*.ts'],
    tests: ['test/{tickets,entries,users,faults}/*.test.ts', 'test/infra/operate/admin/erase-user.test.ts'],
    goal: 90,
  },
  games: { files: ['shared/games/*.ts'], tests: ['test/{games,play}/*.test.ts'], goal: 90 },
  amoe: {
    files: ['shared/amoe/*.ts'],
    tests: ['test/amoe/*.test.ts', 'test/{faults/guest-time,table/tampering,users/summary}.test.ts'],
    goal: 90,
  },
  webhooks: {
    // Excludes the calls of one user, because tests of erasures and exports detect their mutants.
    files: ['shared/webhooks/!(calls-of-user).ts'],
    tests: ['test/{webhooks,events}/**/*.test.ts', 'test/faults/lost-answers.test.ts'],
    goal: 90,
  },
  reports: {
    files: ['shared/reports/*.ts'],
    tests: ['test/reports/*.test.ts', 'test/round-trips.test.ts'],
    goal: 90,
  },
  books: { files: ['shared/books/**/*.ts'], tests: ['test/books/**/*.test.ts'], goal: 90 },
  payouts: { files: ['shared/payouts/*.ts'], tests: ['test/payouts/*.test.ts'], goal: 90 },
  table: {
    files: ['shared/table/*.ts'],
    // Excludes slow tests of tampering: `seals.test.ts` detects mutants of seals.
    tests: ['test/{table/!(tampering|tampered-records),tickets/*,faults/dynamodb-errors}.test.ts'],
    goal: 90,
  },
  operations: {
    files: ['shared/{operations,organizations}/*.ts', 'shared/webhooks/calls-of-user.ts'],
    tests: [
      'test/infra/operate/**/*.test.ts',
      'test/{amoe/holds,api/reset,books/close-all}.test.ts',
      'test/games/{days-ahead,holds,new-game,scheduled-changes}.test.ts',
      'test/play/{page-endpoint,page-settings}.test.ts',
    ],
    goal: 90,
  },
  api: {
    files: ['shared/api/**/*.ts'],
    tests: [
      'test/api/**/*.test.ts',
      'test/games/{holds,operator,prize-tables}.test.ts',
      'test/{reports/pack,play/failure-page,play/page-endpoint,play/page-settings,faults/outcome-unknown}.test.ts',
      'test/webhooks/{history,publishing,registrations}.test.ts',
      'test/round-trips.test.ts',
    ],
    goal: 80,
  },
  shared: {
    files: ['shared/*.ts', 'shared/timestamps/*.ts'],
    tests: [
      'test/{shared,timestamps,faults,users,tickets}/*.test.ts',
      'test/{amoe/beacon,amoe/close-orders,api/endpoint,books/note}.test.ts',
    ],
    goal: 90,
  },
  functions: {
    // Excludes the play page, which is the room `page`, and the documentation's page, which `test/browser` tests.
    files: ['functions/{*,!(play|docs)/*}.ts'],
    tests: [
      'test/{worker-calls,round-trips}.test.ts',
      'test/{api,amoe,entries,events,payouts,reports,tickets,users,webhooks}/*.test.ts',
      'test/games/{debug-plays,holds,limits,play-urls}.test.ts',
    ],
    goal: 80,
  },
  client: {
    // Excludes `operations.ts`, which is generated, and tests that compile the client and run it in another process.
    files: ['shared/client/!(operations).ts'],
    tests: ['test/client/{client,page,webhooks}.test.ts'],
    goal: 80,
  },
  admin: {
    // Excludes the entry point, which tests run in another process.
    files: ['infra/operate/admin/**/!(main).ts'],
    tests: ['test/infra/operate/admin/**/*.test.ts'],
    goal: 80,
  },
  console: {
    files: ['infra/operate/console/!(main).ts'],
    tests: ['test/infra/operate/console/**/*.test.ts'],
    goal: 80,
  },
  page: {
    files: [
      'functions/play/*.ts',
      'functions/play/page/{*,parts/*,scenes/*}.ts',
      // Excludes scripts that change what a browser shows, because only `test/browser` runs them.
      'functions/play/page/client/{digests,host,place,verify}.ts',
    ],
    tests: ['test/play/*.test.ts', 'test/books/place.test.ts', 'test/games/play-urls.test.ts'],
    goal: 80,
  },
  verify: {
    // Excludes the entry points of the command and of the bundle.
    files: ['infra/verify/!(main|standalone).ts'],
    tests: ['test/books/{command,progress,verdict-words}.test.ts'],
    goal: 90,
  },
};
