import type { Bug } from './bug.ts';

/** Bugs in the play page. The simulation catches those in the HTML, a browser test those in the script. */
export const page: Bug[] = [
  {
    name: 'the page shows a cost one ticket too low',
    file: 'functions/play/page/session-view.ts',
    from: '    cost,\n    //',
    to: '    cost: cost - 1,\n    //',
  },
  {
    name: 'the button shows a cost one ticket too low',
    file: 'functions/play/page/parts/panel.ts',
    from: '{ tickets: plural(lang, texts.tickets, cost) }',
    to: '{ tickets: plural(lang, texts.tickets, cost - 1) }',
    tests: ['test/browser/real-plays.test.ts'],
  },
  {
    name: 'a play URL says that it has expired instead of what it came to',
    file: 'functions/play/page/session-view.ts',
    from: '(!playedSession && isExpired(session, now))',
    to: 'isExpired(session, now)',
  },
  {
    name: "the browser's seed is always the same",
    file: 'functions/play/page/client/seeds.ts',
    from: 'crypto.getRandomValues(new Uint8Array(16))',
    to: 'new Uint8Array(16)',
    tests: ['test/browser/real-plays.test.ts'],
  },
  {
    name: 'the page adds to the balance whatever was won',
    file: 'functions/play/page/client/play.ts',
    from: "won.kind === 'tickets' ? won.amount : 0",
    to: 'won.amount',
    tests: ['test/browser/real-plays.test.ts'],
  },
  {
    name: 'the page believes a server that has changed its commitment',
    file: 'functions/play/page/client/verify.ts',
    from: 'seal !== commitment || seal !== fairness.commitment',
    to: 'seal !== commitment && seal !== fairness.commitment',
    tests: ['test/play/page-parts.test.ts', 'test/browser/page.test.ts'],
  },
  {
    name: 'the page gives up at a 429',
    file: 'functions/play/page/client/network.ts',
    from: 'if (status === 429 || status === 503)',
    to: 'if (status === 503)',
    tests: ['test/browser/lost-connections.test.ts'],
  },
  {
    name: 'the wheel comes to rest at another prize',
    file: 'functions/play/page/client/wheel.ts',
    from: 'const rest = fullTurn - wedges.indexOf(target!) * step + offset;',
    to: 'const rest = fullTurn + wedges.indexOf(target!) * step + offset;',
    tests: ['test/browser/motion.test.ts'],
  },
  {
    name: 'the chances shown are of all prizes instead of those in the draw',
    file: 'functions/play/page/parts/odds.ts',
    from: 'sum + (available ? weight : 0)',
    to: 'sum + (available || weight ? weight : 0)',
    tests: ['test/browser/standing-in-the-way.test.ts'],
  },
  {
    name: 'a text can end the script that carries the page’s data',
    file: 'functions/play/page/html.ts',
    from: '/[<>&\\u2028\\u2029]/g',
    to: '/[>&\\u2028\\u2029]/g',
    tests: ['test/play/page-parts.test.ts'],
  },
];
