/** Timeout of a test in milliseconds. The timeout is long because the machine may be busy. */
export const patienceMs = 1000 * Number(process.env.TEST_PATIENCE_SECONDS ?? 300);

/**
 * Timeout in milliseconds for waiting inside a test. It is shorter than the test's own timeout, so that a
 * failed wait reports its own error before the test times out.
 */
export const waitMs = 0.9 * patienceMs;
