import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { useBrowser } from './browser.ts';
import { type Fixture, startFixture } from './fixture-server.ts';

/**
 * Starts the browser and the fixture server before all tests of a file. The returned object contains both
 * from then on.
 */
export const useStage = () => {
  const stage = {} as { browser: Browser; fixture: Fixture };
  beforeAll(async () => {
    [stage.browser, stage.fixture] = await Promise.all([useBrowser(), startFixture()]);
  });
  afterAll(async () => {
    await stage.fixture?.close();
  });
  return stage;
};
