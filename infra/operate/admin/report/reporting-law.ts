/**
 * What the law sets for the reports, as data, each with where it stands. An operator's help, and no legal advice: a
 * lawyer or an accountant is to confirm it.
 */

/** From which value on winners are to be listed: prizes of more than so many USD. */
export const winnersAbove = {
  usd: 25,
  /**
   * New York asks for the names and addresses of each winner of every prize "having a value of more than
   * $25", the prize and the date of its delivery, within 90 days after the end: so says its Department of
   * State (https://www.dos.ny.gov/corps/gamesofchance.html) of General Business Law § 369-e
   * (https://www.nysenate.gov/legislation/laws/GBS/369-E). Florida Statutes § 849.094 has a list of its own
   * for the Department of Agriculture and Consumer Services. Not confirmed: the very words of the
   * subdivisions on winners. Of Florida's a summary says "$25 or more"; if so, give --at-least 25.
   */
  source: 'New York General Business Law § 369-e; Florida Statutes § 849.094',
};

type Threshold = { from: number; to: number; usd: number; source: string };

/**
 * From which total of a calendar year on prizes are to be reported on Form 1099-MISC, in whole USD. Years
 * that are not here are not known: from 2027 on the amount follows the cost of living, to the nearest
 * hundred. Until it is added here, operators give what the IRS has published by --threshold
 * (https://www.irs.gov/instructions/i1099mec).
 */
const form1099MiscThresholds: readonly Threshold[] = [
  { from: 1955, to: 2025, usd: 600, source: '26 U.S.C. § 6041(a), before Public Law 119-21' },
  {
    // Of payments made after December 31, 2025 (summary of § 70433:
    // https://sovos.com/regulatory-updates/trr/one-big-beautiful-bill-raises-1099-reporting-thresholds).
    from: 2026,
    to: 2026,
    usd: 2000,
    source: '26 U.S.C. § 6041(a), as amended by Public Law 119-21, § 70433 (One Big Beautiful Bill Act)',
  },
];

/** The threshold of a calendar year; undefined if it is not known. */
export const thresholdOf = (year: number): Threshold | undefined =>
  form1099MiscThresholds.find(({ from, to }) => year >= from && year <= to);
