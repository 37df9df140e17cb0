import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch } from './browser.ts';
import { type Fixture, startFixture } from './fixture-server.ts';

/** A browser and the fixture's plays for the tests of one file. */
export const useStage = () => {
  const stage = {} as { browser: Browser; fixture: Fixture };
  beforeAll(async () => {
    [stage.browser, stage.fixture] = await Promise.all([launch(), startFixture()]);
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.fixture?.close();
  });
  return stage;
};
