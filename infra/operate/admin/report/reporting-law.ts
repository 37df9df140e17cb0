/**
 * Legal thresholds for the reports, each with its source. The thresholds help operators and are not legal
 * advice: have a lawyer or an accountant confirm them.
 */

/** The value of a prize (USD) above which the law requires a list of the prize's winners. */
export const winnersAbove = {
  usd: 25,
  /**
   * New York requires the names and addresses of the winners of every prize "having a value of more than
   * $25", with the prize and its delivery date, within 90 days after the end of the promotion. Source: the
   * New York Department of State (https://www.dos.ny.gov/corps/gamesofchance.html) on General Business Law §
   * 369-e (https://www.nysenate.gov/legislation/laws/GBS/369-E). Florida Statutes § 849.094 requires a list
   * of winners for the Department of Agriculture and Consumer Services. Not confirmed: the exact wording of
   * both laws. A summary of Florida's law says "$25 or more"; if the summary is right, use --at-least 25.
   */
  source: 'New York General Business Law § 369-e; Florida Statutes § 849.094',
};

type Threshold = { from: number; to: number; usd: number; source: string };

/**
 * The yearly total (whole USD) from which a user's prizes are reported on Form 1099-MISC. From 2027 on, the
 * threshold is adjusted to the cost of living and rounded to the nearest hundred USD. For a year that is
 * missing here, the operator looks up the threshold at the IRS (https://www.irs.gov/instructions/i1099mec)
 * and passes it with --threshold.
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

/** Returns the Form 1099-MISC threshold of a calendar year, or undefined if the threshold is unknown. */
export const thresholdOf = (year: number): Threshold | undefined =>
  form1099MiscThresholds.find(({ from, to }) => year >= from && year <= to);
