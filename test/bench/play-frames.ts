import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { registerTextImports } from '../../infra/common/page-assets.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { median, type Row, scaled } from './row.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };
/** `slowdown` throttles the CPU to a phone's speed. The page's animations end `settlingMs` after the result. */
const [slowdown, settlingMs] = [6, 3_000];
/** Maximum milliseconds of a main-thread task. Browsers call a longer task a "long task": it delays input. */
const maxTaskMs = 50;

type TraceEvent = { name: string; pid: number; tid: number; ts: number; tdur?: number };

/** Script that presses a page's button, and calls the bench's function `shown` when the result appears. */
const press = `performance.mark('press');
new MutationObserver((_, observer) => { observer.disconnect(); shown(''); }).observe(document.querySelector('#status'), { childList: true });
document.querySelector('#go').click()`;

/** Presses the page's button on a throttled CPU. Returns the longest main-thread task in milliseconds of CPU time. */
async function longestTask(browser: Browser, url: string, size: number): Promise<number> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const own = await context.newCDPSession(page);
  await own.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await own.send('Runtime.addBinding', { name: 'shown' });
  const resultShown = new Promise((done) => own.once('Runtime.bindingCalled', done));
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await own.send('Runtime.evaluate', { expression: press });
  // Waits for the page's call of `shown`. Polling the page instead would add tasks to the measured main thread.
  await resultShown;
  await page.waitForTimeout(settlingMs * size);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  await context.close();
  return longestIn(traceEvents);
}

function longestIn(events: TraceEvent[]): number {
  const press = events.find(({ name }) => name === 'press')!;
  const tasks = events.filter(
    ({ name, pid, tid, ts }) =>
      name === 'ThreadControllerImpl::RunTask' && pid === press.pid && tid === press.tid && ts > press.ts,
  );
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Returns a game's prizes, of which $100 cash is nearly certain: a page shows the most elements for this prize. */
const jackpots = (game: Game) =>
  defaultPrizeTables[game].prizes.map((prize) =>
    prize.id === 'cash-100' ? { ...prize, weight: 1e9 } : prize,
  );

type Measured = Map<string, number[]>;

/** Measures the pages alternately, `turns` times. `names` are games, or `floor` for the baseline. */
async function inTurns(
  names: readonly Game[],
  turns: number,
  measure: (browser: Browser, url: string) => Promise<number>,
): Promise<Measured> {
  registerTextImports();
  const { startFixture } = await import('../browser/support/fixture-server.ts');
  // Tests set `BENCH_BROWSER` to the path of the browser that they have already unpacked.
  const executablePath = process.env.BENCH_BROWSER ?? (await sparticuz.executablePath());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const fixture = await startFixture();
  const measured: Measured = new Map(names.map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, values] of measured) {
      const game = name as Game;
      values.push(await measure(browser, await fixture.openPlay({ game, prizes: jackpots(game) })));
    }
  }
  await Promise.all([browser.close(), fixture.close()]);
  return measured;
}

const worstOf = (measured: Measured) => Math.max(...[...measured.values()].map(median));

/** Returns the median of each page's milliseconds as text. `more` returns further text about the values. */
const mediansOf = (measured: Measured, more: (values: number[]) => string = () => '') =>
  [...measured].map(([name, values]) => `${name} ${median(values).toFixed(1)} ms${more(values)}`).join('; ');

/** At the smallest size, measures only the first game. */
const someGames = (size: number) => games.slice(0, scaled(games.length, size));

export const rows: Row[] = [
  {
    name: 'play-frames-longest',
    what: 'longest main-thread task from the press to the settled result, at a sixth of the speed, worst game',
    floor: '0',
    unit: ' ms',
    target: { atMost: maxTaskMs },
    measure: async (size) => {
      const measured = await inTurns(someGames(size), scaled(2, size), (...page) =>
        longestTask(...page, size),
      );
      const detail = mediansOf(measured, (values) => `, at most ${Math.max(...values).toFixed(1)}`);
      return { value: worstOf(measured), detail };
    },
  },
];
