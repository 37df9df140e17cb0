/** Checks the secrets of days: each must match the fingerprint that was published before the day. */
import { fingerprintOf } from '../../games/seeds.ts';
import { addDays } from '../../time.ts';
import type { BookHeader } from '../book.ts';
import type { OperationLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * The known secrets: the published fingerprints, each with the day of the book that published it, and the
 * revealed secrets.
 */
export type KnownSecrets = {
  fingerprints: Map<string, { fingerprint: string; publishedOn: string }>;
  revealed: Map<string, string>;
};

/** Returns an empty set of known secrets. */
export const noSecrets = (): KnownSecrets => ({ fingerprints: new Map(), revealed: new Map() });

/** Notes the fingerprints that an organization's first record publishes in the book of a day. */
export function noteOpening(known: KnownSecrets, day: string, leaf: OperationLeaf, report: Report): void {
  for (const [of, fingerprint] of Object.entries(leaf.fingerprints ?? {})) {
    publish(known, day, of, fingerprint, report);
  }
}

/**
 * Checks the secrets that a book and its records (`earlier`) reveal, and notes the fingerprints that the book
 * publishes.
 */
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
    report.finding(
      'named_by_nothing',
      `The book has secrets or fingerprints of other days: ${others.join(', ')}.`,
    );
  }
  for (const [of, secret] of Object.entries({ ...earlier, ...secrets }))
    checkSecret(known, of, secret, report);
  if (!fingerprints[ahead]) {
    report.finding('fingerprint_missing', `The book has no fingerprint for ${ahead}.`);
  }
  for (const [of, fingerprint] of Object.entries(fingerprints)) {
    publish(known, day, of, fingerprint, report);
  }
}

const except = (some: object, day: string) => Object.keys(some).filter((of) => of !== day);

function publish(known: KnownSecrets, day: string, of: string, fingerprint: string, report: Report) {
  const before = known.fingerprints.get(of);
  if (before && before.fingerprint !== fingerprint) {
    const sentence = `The book of ${before.publishedOn} has a different fingerprint for ${of}.`;
    report.finding('secret_not_as_published', sentence);
  } else if (!before) known.fingerprints.set(of, { fingerprint, publishedOn: day });
}

function checkSecret({ fingerprints, revealed }: KnownSecrets, of: string, secret: string, report: Report) {
  const published = fingerprints.get(of);
  const before = revealed.get(of);
  revealed.set(of, secret);
  if (before !== undefined) {
    if (before !== secret) {
      report.finding('secret_not_as_published', `An earlier book revealed a different secret of ${of}.`);
    }
    return;
  }
  // A fingerprint that was published after its day proves nothing.
  if (!published || published.publishedOn > of) {
    report.notice('fingerprint_unknown', `The secret of ${of} could not be compared with a fingerprint.`);
  } else if (published.fingerprint !== fingerprintOf(Buffer.from(secret, 'hex'))) {
    const where = `the fingerprint in the book of ${published.publishedOn}`;
    report.finding('secret_not_as_published', `The secret of ${of} does not match ${where}.`);
  } else if (published.publishedOn >= addDays(of, -1)) {
    report.notice('fingerprint_with_secret', `The secret is that of ${of}.`);
  }
}
