/** Mutants of the code that behave exactly like the original, so that no test can detect them. */
export type Equivalent = {
  /** If absent, the entry applies to all files. */
  file?: string;
  /** Part of the source line on which the mutant begins. */
  line: string;
  /** Replacement texts of the mutants. If absent, the entry applies to all mutants on the line. */
  replacement?: string | string[];
  reason: string;
};

export const equivalents: Equivalent[] = [
  ...['log.info(', 'log.warn(', 'log.failure('].map((line) => ({
    line,
    replacement: ['""', '``', '{}'],
    reason: 'Tests do not read the texts and fields of logs.',
  })),
  ...["return 'finished'", "return 'early'", "return 'continued'", "return 'repeated'"].map((line) => ({
    file: 'shared/webhooks/backlog-steps.ts',
    line,
    replacement: '""',
    reason: 'Only logs have the verdicts of steps.',
  })),
  {
    file: 'shared/table/client.ts',
    line: "if (ifTampered !== 'show' && keys.some(isSealed)) sealKey().catch(",
    reason: 'Only asks for the key of seals earlier.',
  },
  {
    file: 'shared/table/instants.ts',
    line: 'if (known !== undefined) return known;',
    replacement: 'false',
    reason: 'Only computes a known value again.',
  },
  {
    file: 'shared/table/codec.ts',
    line: 'if (sealName in stored) storedForms.set(item, stored);',
    replacement: 'true',
    reason: 'A stored form without a seal is as good as none.',
  },
  {
    file: 'shared/table/values.ts',
    line: 'const isDigest = ',
    replacement: '/[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/',
    reason: 'Only texts of 43 characters are compared.',
  },
  {
    file: 'shared/table/seals.ts',
    line: '} catch {',
    replacement: '{}',
    reason: '`isGenuine` then returns undefined, which counts as false.',
  },
  {
    file: 'shared/games/stored-budgets.ts',
    line: 'if (cashChainSettings.size >= maxKnown) cashChainSettings.clear();',
    reason: 'Only decides when the process reads a setting again.',
  },
  {
    file: 'shared/games/budgets.ts',
    line: 'if (!limits.stock || !stock || !isStocked(prize)) return limits;',
    replacement: '!limits.stock && !stock',
    reason: '`drawBudgets` makes `limits.stock` exactly if there is a `stock`.',
  },
  {
    file: 'shared/games/draw-sets.ts',
    line: 'amount > maxCash) maxCash = amount;',
    replacement: 'amount >= maxCash',
    reason: 'Sets the same maximum again.',
  },
  {
    file: 'shared/games/odds.ts',
    line: 'const [minAmount, maxAmount] =',
    replacement: 'Math.max(...amounts) * step',
    reason: 'Computes with more sums of cash, whose chances are 0.',
  },
  {
    file: 'shared/operations/erase-user.ts',
    line: 'if (text_key !== undefined) await replace(',
    replacement: 'true',
    reason: 'Writes an erased user again without a change.',
  },
  {
    file: 'shared/organizations/api-keys.ts',
    line: 'const live = listed.filter(',
    replacement: 'listed',
    reason: 'Reads revoked keys too, and leaves them out afterwards.',
  },
  {
    file: 'shared/organizations/logo.ts',
    line: '.exec(text) ?? []',
    replacement: '["Stryker was here"]',
    reason: 'Only the second and third elements are read.',
  },
  {
    file: 'shared/webhooks/delivery-queue.ts',
    line: 'if (!areTexts(value?.organization_id, value?.webhook_id))',
    replacement: ['value.organization_id', 'value.webhook_id'],
    reason: 'For null it throws, and the catch also returns undefined.',
  },
  {
    file: 'shared/webhooks/post.ts',
    line: "url.protocol === 'https:' ? httpsRequest : httpRequest",
    replacement: ['true', 'false'],
    reason: 'The agent decides whether the connection uses TLS.',
  },
  {
    file: 'shared/client/send.ts',
    line: "addEventListener('abort', ",
    replacement: ['{}', 'false'],
    reason: 'The listener is removed in any case.',
  },
  {
    file: 'shared/payouts/check-payouts.ts',
    line: 'fields: [...talliedFields]',
    replacement: '[]',
    reason: 'Reads whole items: the same result, for more bytes.',
  },
  {
    file: 'shared/payouts/check-payouts.ts',
    line: 'tables.set(version, table)',
    reason: 'The map is a cache: without it a table is read again.',
  },
  {
    file: 'shared/amoe/drand.ts',
    line: '/^[0-9a-f]{192}$/.test(text)',
    replacement: '/^[0-9a-f]{192}/',
    reason: 'The curve refuses a longer key.',
  },
  {
    file: 'shared/amoe/drand.ts',
    line: 'verified.set(key, randomness)',
    reason: 'The map is a cache: without it a signature is verified again.',
  },
  {
    file: 'shared/amoe/drand.ts',
    line: '/^[0-9a-f]{96}$/.test(text)',
    replacement: ['/[0-9a-f]{96}$/', '/^[0-9a-f]{96}/'],
    reason: 'The curve refuses other lengths, and a decoder of hex stops at other characters.',
  },
  {
    file: 'shared/amoe/open-orders.ts',
    line: "const [due_day = '', ulid = ''] = sk.split('#')",
    replacement: '"Stryker was here!"',
    reason: 'Every key of a due order has both parts.',
  },
  {
    file: 'shared/amoe/relays.ts',
    line: '} catch {',
    replacement: '{}',
    reason: 'A function without a return also returns undefined.',
  },
  {
    file: 'shared/amoe/spin-orders.ts',
    line: "idempotencyOf(request, 'queue')",
    replacement: '""',
    reason: 'Any label tells queued spins from guest spins, because it only goes into a digest.',
  },
  {
    file: 'infra/operate/console/bridge.ts',
    line: "mkdtemp(join(tmpdir(), 'incentives-console-'))",
    replacement: '""',
    reason: 'The prefix only tells people what the folder is for.',
  },
  {
    file: 'infra/operate/console/bridge.ts',
    line: '{ mode: 0o600 }',
    reason: 'Only the owner can enter the folder.',
  },
  {
    file: 'shared/table/client.ts',
    line: 'expectSeals(keys, reading);',
    replacement: ';',
    reason: 'Fetches the key of seals early: otherwise the first sealed item fetches it.',
  },
  {
    file: 'shared/scheduled.ts',
    line: "parseInstant(scheduled.parse(event).now ?? '')",
    replacement: '"Stryker was here!"',
    reason: 'Neither text is an instant.',
  },
  {
    file: 'shared/hmac.ts',
    line: 'const byte = i < key.length ? key[i]! : 0;',
    replacement: 'true',
    reason: 'JavaScript computes with undefined as with 0 in `^`.',
  },
  {
    file: 'shared/ids.ts',
    line: 'const digits = ulid.slice(0, 10);',
    replacement: '1',
    reason: 'The first digit of all ULIDs until the year 3084 is 0.',
  },
  {
    file: 'shared/api/openapi/names.ts',
    line: "const [first = '', ...others] = words(",
    replacement: '"Stryker was here!"',
    reason: 'A name always has a first word.',
  },
  {
    file: 'shared/api/openapi/document.ts',
    line: 'const { properties = {}, required = [] } =',
    replacement: '["Stryker was here"]',
    reason: 'No parameter has this name.',
  },
  {
    file: 'shared/api/page-fields.ts',
    line: '.exec(value) ?? []',
    replacement: '["Stryker was here"]',
    reason: 'Only the second element is read.',
  },
  {
    file: 'shared/api/openapi/document.ts',
    line: "'output', about)",
    replacement: '""',
    reason: 'zod then only omits a keyword that is deleted anyway.',
  },
];
