import sparticuz from '@sparticuz/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { resolvePageAssets } from '../../infra/common/page-assets.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { median, type Row } from './row.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };
const watchedMs = 2_500;
/** How many times slower than this machine a phone is, and how long its page still moves once it shows the result. */
const [slowdown, settlingMs] = [6, 3_000];
/** A task that is longer is called a long one: it holds up a finger, and frames. */
const longestMs = 50;

/** The least that a moving page can be: a disc that is drawn once, turns, and says a word in the end. */
const floorPage = `data:text/html,${encodeURIComponent(`<meta name="viewport" content="width=device-width">
<style>body { margin: 0; background: #10182f }
div { width: 320px; height: 320px; border-radius: 50%; background: conic-gradient(red, gold, teal, red); will-change: transform }</style>
<button id="go">Turn</button><div></div><p id="status">
<script>document.querySelector('button').onclick = () => {
  const { style } = document.querySelector('div');
  let angle = 0;
  const frame = () => { style.transform = 'rotate(' + (angle += 6) + 'deg)'; requestAnimationFrame(frame); };
  frame();
  setTimeout(() => { document.querySelector('p').innerHTML = '<b id="result">Won</b>' }, 5000);
}</script>`)}`;

async function cpuSeconds(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * Milliseconds of the whole browser's processor time that a frame takes for a while after the press of a
 * page's button.
 */
async function msPerFrame(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  // The play is never answered, so the game goes on.
  await page.route('**/spin', () => {});
  await page.goto(url);
  const whole = await browser.newBrowserCDPSession();
  await countFrames(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#go')!.click());
  await page.waitForTimeout(300);
  const [before, first] = [await cpuSeconds(whole), await countedFrames(page)];
  await page.waitForTimeout(watchedMs);
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

/** An event of a trace: times are in microseconds, and `tdur` is the processor time of `dur`. */
type TraceEvent = { name: string; pid: number; tid: number; ts: number; tdur?: number };

/** Presses the button, and tells once there is a result. */
const press = `performance.mark('press');
new MutationObserver((_, observer) => { observer.disconnect(); shown(''); }).observe(document.querySelector('#status'), { childList: true });
document.querySelector('#go').click()`;

/**
 * Milliseconds of processor time of the longest task of a page's main thread, from the press of its button
 * until the result is shown and has settled, on a processor that is slowed down. What other work takes of the
 * machine is not in it.
 */
async function longestTask(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const own = await context.newCDPSession(page);
  await own.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await own.send('Runtime.addBinding', { name: 'shown' });
  const shown = new Promise((done) => own.once('Runtime.bindingCalled', done));
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await own.send('Runtime.evaluate', { expression: press });
  // Whatever looks at the page meanwhile would be among its tasks.
  await shown;
  await page.waitForTimeout(settlingMs);
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

/** The prizes of a game, of which the one that most is made of is as good as certain. */
const jackpots = (game: Game) =>
  defaultPrizeTables[game].prizes.map((prize) =>
    prize.id === 'cash-100' ? { ...prize, weight: 1e9 } : prize,
  );

const names = ['floor', ...games] as const;
type Measured = Record<(typeof names)[number], number[]>;

/** What is measured of each page in some turns, one after the other. */
async function inTurns(turns: number, measure: (browser: Browser, url: string) => Promise<number>) {
  resolvePageAssets();
  const { startFixture } = await import('../browser/support/fixture-server.ts');
  const executablePath = await sparticuz.executablePath();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const fixture = await startFixture();
  const measured: Measured = { floor: [], prizewheel: [], truck: [], flight: [] };
  for (let turn = 0; turn < turns; turn++) {
    measured.floor.push(await measure(browser, floorPage));
    for (const game of games) {
      const url = await fixture.openPlay({ game, prizes: jackpots(game) });
      measured[game].push(await measure(browser, url));
    }
  }
  await Promise.all([browser.close(), fixture.close()]);
  return measured;
}

const worstOf = (measured: Measured) => Math.max(...games.map((game) => median(measured[game])));

/** All of a kind, each told with the largest of its turns if there is something to say of it. */
const told = (measured: Measured, more: (values: number[]) => string = () => '') =>
  names.map((name) => `${name} ${median(measured[name]).toFixed(1)} ms${more(measured[name])}`).join('; ');

export const rows: Row[] = [
  {
    name: 'play-frames',
    what: 'processor time of a frame while a game moves, of the whole browser on a phone, the worst of all games',
    floor: 'a disc that turns',
    measure: async () => {
      const measured = await inTurns(5, msPerFrame);
      return { value: worstOf(measured) / median(measured.floor), detail: told(measured) };
    },
  },
  {
    name: 'play-frames-longest',
    what: 'the longest task of the page from the press to the settled result, at a sixth of the speed, the worst of all games',
    floor: 'a disc that turns, and a word',
    unit: ' ms',
    target: { atMost: longestMs },
    measure: async () => {
      const measured = await inTurns(5, longestTask);
      const detail = told(measured, (values) => `, at most ${Math.max(...values).toFixed(1)}`);
      return { value: worstOf(measured), detail };
    },
  },
];
