/**
 * Shifts the clock of all Node processes of a test run by an hour if midnight in New York is near: it begins a new day
 * of limits, in the middle of a test.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const { Date: RealDate } = globalThis;

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...args: []) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static override now = () => RealDate.now() + shiftMs;
} as DateConstructor;
