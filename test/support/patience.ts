/** Timeout of a test in milliseconds. The timeout is long because the machine may be busy. */
export const patienceMs = 300_000;

/**
 * Time limit of a wait in a test, in milliseconds. Less than the test's timeout, so that a failed wait reports its own
 * error.
 */
export const waitMs = 0.9 * patienceMs;
