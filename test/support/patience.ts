/** How long a test may take. Generous: time says nothing here, and the machine may be busy. */
export const patienceMs = 1000 * Number(process.env.TEST_PATIENCE_SECONDS ?? 300);

/** How long a test waits for something: it gives up a little before it would be given up itself. */
export const waitMs = 0.9 * patienceMs;
