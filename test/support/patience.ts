/** Timeout of a test in ms. It is long because the machine may be busy. */
export const patienceMs = 1000 * Number(process.env.TEST_PATIENCE_SECONDS ?? 300);

/**
 * Timeout in ms for waiting inside a test, so that it fails with its own message before the test times out.
 */
export const waitMs = 0.9 * patienceMs;
