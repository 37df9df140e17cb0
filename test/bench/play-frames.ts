import sparticuz from '@sparticuz/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { resolvePageAssets } from '../../infra/page-assets.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { median, type Row } from './row.ts';

/** What a page does while it moves: processor time of the whole browser for a frame, and tasks over 50 ms. */
type Frames = { msPerFrame: number; longTasks: number };

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };
const watchedMs = 2_500;

/** The least that a moving page can be: a disc that is drawn once, and turns. */
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

/** Presses a page's button, and watches for a while what that moves, on a processor that is slowed down so many times. */
async function watch(browser: Browser, url: string, slowdown: number): Promise<Frames> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  // The play is never answered, so the game goes on.
  await page.route('**/spin', () => {});
  await page.goto(url);
  const [whole, own] = await Promise.all([browser.newBrowserCDPSession(), context.newCDPSession(page)]);
  await own.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await countFrames(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#go')!.click());
  await page.waitForTimeout(300);
  const [before, first] = [await cpuSeconds(whole), await countedFrames(page)];
  await page.waitForTimeout(watchedMs);
  const [after, last] = [await cpuSeconds(whole), await countedFrames(page)];
  await context.close();
  const msPerFrame = (1000 * (after - before)) / (last.frames - first.frames);
  return { msPerFrame, longTasks: last.longTasks - first.longTasks };
}

type Counting = typeof globalThis & { counted: { frames: number; longTasks: number } };

const countFrames = (page: Page) =>
  page.evaluate(() => {
    const counted = { frames: 0, longTasks: 0 };
    (globalThis as Counting).counted = counted;
    const frame = () => {
      counted.frames++;
      requestAnimationFrame(frame);
    };
    frame();
    new PerformanceObserver((list) => {
      counted.longTasks += list.getEntries().length;
    }).observe({ type: 'longtask' });
  });

const countedFrames = (page: Page) => page.evaluate(() => (globalThis as Counting).counted);

/** What each page does in some turns, one after the other. */
async function measureFrames(turns: number, slowdown = 1) {
  resolvePageAssets();
  const { startFixture } = await import('../browser/support/fixture-server.ts');
  const executablePath = await sparticuz.executablePath();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const fixture = await startFixture();
  const seen: Record<Game | 'floor', Frames[]> = { floor: [], prizewheel: [], truck: [], flight: [] };
  for (let turn = 0; turn < turns; turn++) {
    seen.floor.push(await watch(browser, floorPage, slowdown));
    for (const game of games)
      seen[game].push(await watch(browser, await fixture.openPlay({ game }), slowdown));
  }
  await Promise.all([browser.close(), fixture.close()]);
  return seen;
}

export const rows: Row[] = [
  {
    name: 'play-frames',
    what: 'processor time of a frame while a game moves, of the whole browser on a phone, the worst of all games',
    floor: 'a disc that turns',
    measure: async () => {
      const seen = await measureFrames(5);
      const slowed = await measureFrames(1, 6);
      const ms = (name: Game | 'floor') => median(seen[name].map(({ msPerFrame }) => msPerFrame));
      const told = (['floor', ...games] as const).map(
        (name) =>
          `${name} ${ms(name).toFixed(1)} ms, ${slowed[name][0]!.longTasks} tasks over 50 ms at a sixth of the speed`,
      );
      return { value: Math.max(...games.map(ms)) / ms('floor'), detail: told.join('; ') };
    },
  },
];
