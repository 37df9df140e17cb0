/** Legal thresholds for reports, with sources. They are not legal advice: ask a lawyer or an accountant. */

/** The value of a prize (USD) above which the law requires a list of the prize's winners. */
export const winnersListAbove = {
  /** Florida's law may mean "$25 or more": --at-least 25. */
  usd: 25,
  /**
   * New York: "more than $25" (https://www.dos.ny.gov/corps/gamesofchance.html,
   * https://www.nysenate.gov/legislation/laws/GBS/369-E).
   */
  source: 'New York General Business Law § 369-e; Florida Statutes § 849.094',
};

/**
 * States that register sweepstakes with prizes above `aboveUsd` in all, `daysAhead` before the start. The list of
 * winners is due `winnersDays` after the end.
 */
export const filingRules = [
  {
    state: 'New York',
    aboveUsd: 5000,
    daysAhead: 30,
    winnersDays: 90,
    source: 'New York General Business Law § 369-e',
  },
  { state: 'Florida', aboveUsd: 5000, daysAhead: 7, winnersDays: 60, source: 'Florida Statutes § 849.094' },
] as const;

type Threshold = { from: number; to: number; usd: number; source: string };

/**
 * A user's total wins in a year (whole USD) that require Form 1099-MISC. The IRS adjusts the threshold from 2027 on
 * (https://www.irs.gov/instructions/i1099mec); for these years, pass --threshold.
 */
const form1099MiscThresholds: readonly Threshold[] = [
  { from: 1955, to: 2025, usd: 600, source: '26 U.S.C. § 6041(a), before Public Law 119-21' },
  {
    // This threshold applies to payments made after December 31, 2025 (summary of § 70433:
    // https://sovos.com/regulatory-updates/trr/one-big-beautiful-bill-raises-1099-reporting-thresholds).
    from: 2026,
    to: 2026,
    usd: 2000,
    source: '26 U.S.C. § 6041(a), as amended by Public Law 119-21, § 70433 (One Big Beautiful Bill Act)',
  },
];

export const form1099ThresholdOf = (year: number): Threshold | undefined =>
  form1099MiscThresholds.find(({ from, to }) => year >= from && year <= to);
