/** Timeout of a test in milliseconds. The timeout is long because the machine may be busy. */
export const patienceMs = 300_000;

/** Milliseconds to wait in a test: less than the test's timeout, so that a wait reports its error. */
export const waitMs = 0.9 * patienceMs;
