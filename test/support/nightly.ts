/** Whether this run also tests what takes long. `npm run nightly` sets the variable. */
export const isNightly = process.env.NIGHTLY !== undefined;

/** Returns all rows of a test's table in a nightly run, and otherwise only the first ones. */
export const rowsFor = <T>(rows: readonly T[], count: number): T[] =>
  isNightly ? [...rows] : rows.slice(0, count);
