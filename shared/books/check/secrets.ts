/** Checks that each day's secret matches the fingerprint published before its use. */
import { fingerprintOf } from '../../games/seeds.ts';
import { addDays } from '../../time.ts';
import type { BookHeader } from '../book.ts';
import type { OperationLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** The known fingerprints and secrets by day. `publishedOn` is the day of the book with the fingerprint. */
export type KnownSecrets = {
  fingerprints: Map<string, { fingerprint: string; publishedOn: string }>;
  revealed: Map<string, string>;
};

/** Returns the state before any secret or fingerprint is known. */
export const noSecrets = (): KnownSecrets => ({ fingerprints: new Map(), revealed: new Map() });

/**
 * Stores the fingerprints from the record of an organization's opening in `known`. `day` is the day of the
 * record's book.
 */
export function recordOpening(known: KnownSecrets, day: string, leaf: OperationLeaf, report: Report): void {
  const { fingerprints = {} } = leaf;
  for (const [of, fingerprint] of Object.entries(fingerprints)) publish(known, day, of, fingerprint, report);
  for (const needed of [day, addDays(day, 1)]) {
    if (!fingerprints[needed]) {
      report.finding(
        'fingerprint_missing',
        `The organization was opened without a fingerprint for ${needed}.`,
      );
    }
  }
}

/**
 * Checks the secret in a book's header and the earlier days' secrets in its records file. Stores secrets and
 * fingerprints in `known`.
 */
export function checkSecrets(
  known: KnownSecrets,
  header: BookHeader,
  earlier: Readonly<Record<string, string>> = {},
  report: Report,
): void {
  const { day, secrets, fingerprints } = header;
  if (!secrets[day]) report.finding('secret_missing', `The book does not reveal the secret of ${day}.`);
  const fingerprintDay = addDays(day, 2);
  const others = [...except(secrets, day), ...except(fingerprints, fingerprintDay)];
  if (others.length > 0) {
    report.finding(
      'unused_data',
      `The book has secrets or fingerprints of other days: ${others.join(', ')}.`,
    );
  }
  for (const [of, secret] of Object.entries({ ...earlier, ...secrets }))
    checkSecret(known, of, secret, report);
  if (!fingerprints[fingerprintDay]) {
    report.finding('fingerprint_missing', `The book has no fingerprint for ${fingerprintDay}.`);
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
  } else if (!before) {
    // With one secret for two days, the first day's book would reveal the second day's draws.
    const [same] = [...known.fingerprints].find(([, one]) => one.fingerprint === fingerprint) ?? [];
    if (same)
      report.finding('secret_not_as_published', `The fingerprint for ${of} is also the one for ${same}.`);
    known.fingerprints.set(of, { fingerprint, publishedOn: day });
  }
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
  // A fingerprint published after the secret's day proves nothing: the secret could have been chosen to fit
  // the draws.
  if (!published || published.publishedOn > of) {
    report.notice('fingerprint_unknown', `The secret of ${of} could not be compared with a fingerprint.`);
  } else if (published.fingerprint !== fingerprintOf(Buffer.from(secret, 'hex'))) {
    const where = `the fingerprint in the book of ${published.publishedOn}`;
    report.finding('secret_not_as_published', `The secret of ${of} does not match ${where}.`);
  } else if (published.publishedOn >= addDays(of, -1)) {
    report.notice('fingerprint_with_secret', `The secret is that of ${of}.`);
  }
}
