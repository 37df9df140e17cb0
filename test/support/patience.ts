/** Timeout of a test in milliseconds. The timeout is long because the machine may be busy. */
export const patienceMs = 300_000;

/**
 * Maximum milliseconds that a test waits: less than the test's timeout, so that a failed wait reports its own error.
 */
export const waitMs = 0.9 * patienceMs;
