import sparticuz from '@sparticuz/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { resolvePageAssets } from '../../infra/common/page-assets.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { median, type Row, scaled } from './row.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };
const watchedMs = 1_500;
/** `slowdown` throttles the CPU to a phone's speed. The page's animations end `settlingMs` after the result. */
const [slowdown, settlingMs] = [6, 3_000];
/** Maximum milliseconds of a main-thread task. Browsers call a longer task a "long task": it delays input. */
const maxTaskMs = 50;

/** Baseline for game pages: a page with a turning disc. */
const floorPage = `data:text/html,${encodeURIComponent(`<meta name="viewport" content="width=device-width">
<style>body { margin: 0; background: #10182f }
div { width: 320px; height: 320px; border-radius: 50%; background: conic-gradient(red, gold, teal, red); will-change: transform }</style>
<button id="go">Turn</button><div></div>
<script>document.querySelector('button').onclick = () => {
  const { style } = document.querySelector('div');
  let angle = 0;
  const frame = () => { style.transform = 'rotate(' + (angle += 6) + 'deg)'; requestAnimationFrame(frame); };
  frame();
}</script>`)}`;

async function cpuSeconds(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Presses a page's button to start the animation. Returns the browser's CPU time per frame in milliseconds. */
async function msPerFrame(browser: Browser, url: string, size: number): Promise<number> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  // Never answers the play request, so that the game's animation keeps running.
  await page.route('**/spin', () => {});
  await page.goto(url);
  const whole = await browser.newBrowserCDPSession();
  await countFrames(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#go')!.click());
  await page.waitForTimeout(300);
  const [before, first] = [await cpuSeconds(whole), await countedFrames(page)];
  await page.waitForTimeout(scaled(watchedMs, size, 300));
  const [after, last] = [await cpuSeconds(whole), await countedFrames(page)];
  await context.close();
  return (1000 * (after - before)) / (last - first);
}

type Counting = typeof globalThis & { counted: number };

const countFrames = (page: Page) =>
  page.evaluate(() => {
    const counting = globalThis as Counting;
    counting.counted = 0;
    const frame = () => {
      counting.counted++;
      requestAnimationFrame(frame);
    };
    frame();
  });

const countedFrames = (page: Page) => page.evaluate(() => (globalThis as Counting).counted);

/** An event of a browser trace. Times are in microseconds; `tdur` is CPU time. */
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
  names: readonly (Game | 'floor')[],
  turns: number,
  measure: (browser: Browser, url: string) => Promise<number>,
): Promise<Measured> {
  resolvePageAssets();
  const { startFixture } = await import('../browser/support/fixture-server.ts');
  // Tests set `BENCH_BROWSER` to the path of the browser that they have already unpacked.
  const executablePath = process.env.BENCH_BROWSER ?? (await sparticuz.executablePath());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const fixture = await startFixture();
  const measured: Measured = new Map(names.map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, values] of measured) {
      const prizes = name !== 'floor' && { game: name as Game, prizes: jackpots(name as Game) };
      values.push(await measure(browser, prizes ? await fixture.openPlay(prizes) : floorPage));
    }
  }
  await Promise.all([browser.close(), fixture.close()]);
  return measured;
}

const worstOf = (measured: Measured) =>
  Math.max(...[...measured].filter(([name]) => name !== 'floor').map(([, values]) => median(values)));

/** Returns the median of each page's milliseconds as text. `more` returns further text about the values. */
const mediansOf = (measured: Measured, more: (values: number[]) => string = () => '') =>
  [...measured].map(([name, values]) => `${name} ${median(values).toFixed(1)} ms${more(values)}`).join('; ');

/** At the smallest size, measures only the first game. */
const someGames = (size: number) => games.slice(0, scaled(games.length, size));

export const rows: Row[] = [
  {
    name: 'play-frames',
    what: 'CPU time of a frame while a game moves, of the whole browser on a phone, worst game',
    floor: 'a turning disc',
    measure: async (size) => {
      const names = ['floor', ...someGames(size)] as const;
      const measured = await inTurns(names, scaled(3, size), (...page) => msPerFrame(...page, size));
      const floor = median(measured.get('floor')!);
      return { value: worstOf(measured) / floor, detail: mediansOf(measured) };
    },
  },
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
