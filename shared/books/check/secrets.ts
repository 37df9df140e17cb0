/** The check of days' secrets: each must have the fingerprint that was published while nobody outside knew it. */
import { fingerprintOf } from '../../games/seeds.ts';
import { addDays } from '../../time.ts';
import type { BookHeader } from '../book.ts';
import type { OperationLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * What is known of days' secrets: their fingerprints, with the day of the book that has them, and what was
 * revealed.
 */
export type KnownSecrets = {
  fingerprints: Map<string, { fingerprint: string; publishedOn: string }>;
  revealed: Map<string, string>;
};

/** Nothing is known. */
export const noSecrets = (): KnownSecrets => ({ fingerprints: new Map(), revealed: new Map() });

/** Notes the fingerprints that the first record of an organization publishes, in the book of a day. */
export function noteOpening(known: KnownSecrets, day: string, leaf: OperationLeaf, report: Report): void {
  for (const [of, fingerprint] of Object.entries(leaf.fingerprints ?? {})) {
    publish(known, day, of, fingerprint, report);
  }
}

/** Checks the secrets that a book and its records (`earlier`) reveal, and notes the fingerprints that it publishes. */
export function checkSecrets(
  known: KnownSecrets,
  header: BookHeader,
  earlier: Readonly<Record<string, string>> = {},
  report: Report,
): void {
  const { day, secrets, fingerprints } = header;
  if (!secrets[day]) report.finding('secret_missing', `The book does not reveal the secret of ${day}.`);
  const ahead = addDays(day, 2);
  const others = [...except(secrets, day), ...except(fingerprints, ahead)];
  if (others.length > 0) {
    report.finding('named_by_nothing', `The book has secrets or fingerprints of ${others.join(', ')}.`);
  }
  for (const [of, secret] of Object.entries({ ...earlier, ...secrets }))
    checkSecret(known, of, secret, report);
  if (!fingerprints[ahead]) {
    report.finding('fingerprint_missing', `There is no fingerprint for ${ahead}.`);
  }
  for (const [of, fingerprint] of Object.entries(fingerprints)) {
    publish(known, day, of, fingerprint, report);
  }
}

const except = (some: object, day: string) => Object.keys(some).filter((of) => of !== day);

function publish(known: KnownSecrets, day: string, of: string, fingerprint: string, report: Report) {
  const before = known.fingerprints.get(of);
  if (before && before.fingerprint !== fingerprint) {
    const sentence = `The book of ${before.publishedOn} has another fingerprint for ${of}.`;
    report.finding('secret_not_as_published', sentence);
  } else if (!before) known.fingerprints.set(of, { fingerprint, publishedOn: day });
}

function checkSecret({ fingerprints, revealed }: KnownSecrets, of: string, secret: string, report: Report) {
  const published = fingerprints.get(of);
  const before = revealed.get(of);
  revealed.set(of, secret);
  if (before !== undefined) {
    if (before !== secret) {
      report.finding('secret_not_as_published', `Another secret of ${of} was revealed before.`);
    }
    return;
  }
  // What was published only after the day shows nothing.
  if (!published || published.publishedOn > of) {
    report.notice('fingerprint_unknown', `The secret of ${of} was not compared.`);
  } else if (published.fingerprint !== fingerprintOf(Buffer.from(secret, 'hex'))) {
    const where = `the fingerprint in the book of ${published.publishedOn}`;
    report.finding('secret_not_as_published', `The secret of ${of} does not have ${where}.`);
  } else if (published.publishedOn >= addDays(of, -1)) {
    report.notice('fingerprint_with_secret', `It is the secret of ${of}.`);
  }
}
