/** Checks that each outcome follows from its day's secret, client seed and prize table, and is drawn once. */
import type { OutcomeRecord } from '../../accounts/records.ts';
import { hasStock } from '../../games/budgets.ts';
import { type DrawSet, drawPrize } from '../../games/draw.ts';
import { cachedDrawSet } from '../../games/draw-sets.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { gameStatusOf } from '../../games/prizes.ts';
import { secretFingerprint, seedOfOutcome } from '../../games/seeds.ts';
import { addDays, dayOf } from '../../time.ts';
import type { OrderLeaf, OutcomeLeaf } from '../leaves.ts';
import type { ReportFinding } from './findings.ts';
import { urlMadeBetween } from './in-force.ts';
import { countDraw } from './odds.ts';
import type { BookDay, History, UserState } from './state.ts';

/** Compares the secrets that a book and its records reveal with the fingerprints published before. */
export function checkSecrets({ history, book: { header }, secrets }: BookDay, report: ReportFinding): void {
  const { day } = header;
  const fingerprintDay = addDays(day, 2);
  if (!header.secrets[day])
    report('secret_not_as_published', `The book does not reveal the secret of ${day}.`);
  if (!header.fingerprints[fingerprintDay])
    report('secret_not_as_published', `The book has no fingerprint for ${fingerprintDay}.`);
  for (const [of, secret] of Object.entries(secrets)) {
    const published = history.fingerprints.get(of);
    const known = history.secrets.get(of);
    const isAsPublished = published === secretFingerprint(Buffer.from(secret, 'hex'));
    if (published === undefined ? history.isWhole : !isAsPublished)
      report('secret_not_as_published', `The published fingerprint of ${of} is ${published ?? 'missing'}.`);
    if ((known ?? secret) !== secret)
      report('secret_not_as_published', `An earlier book revealed another secret of ${of}.`);
    history.secrets.set(of, secret);
  }
  addFingerprints(history, header.fingerprints, report);
}

/** Remembers published fingerprints. Reports a second fingerprint for a day. */
export function addFingerprints(
  { fingerprints }: History,
  published: Readonly<Record<string, string>>,
  report: ReportFinding,
): void {
  for (const [day, fingerprint] of Object.entries(published)) {
    if ((fingerprints.get(day) ?? fingerprint) !== fingerprint)
      report('secret_not_as_published', `An earlier book has another fingerprint for ${day}.`);
    fingerprints.set(day, fingerprint);
  }
}

/** Remembers an order, whose hash is the client seed of its spins. */
export function rememberOrder(user: UserState, leaf: OrderLeaf): void {
  const { order_id, hash, num_of_spins, due_day, prize_table_version } = leaf;
  user.orders ??= new Map();
  user.orders.set(order_id, { hash, num_of_spins, due_day, prize_table_version, next: 0 });
}

/** Checks an outcome's draw, and that its play URL or free spin was not drawn before. */
export function checkDraw(
  day: BookDay,
  user: UserState,
  leaf: OutcomeLeaf,
  at: number,
  report: ReportFinding,
): void {
  checkSecretDay(day, leaf, at, report);
  if (leaf.token_hash) checkUrl(day.history, leaf.token_hash, report);
  else checkSpin(day, user, leaf, report);
  const prizes = day.tables[leaf.prize_table_version];
  const secret = day.secrets[leaf.secret_day];
  if (!prizes) report('table_altered', `The table “${leaf.prize_table_version}” was not given.`);
  if (secret === undefined)
    report('secret_not_as_published', `The secret of ${leaf.secret_day} is not revealed.`);
  if (!prizes || secret === undefined) return;
  const { faults, set } = repeatDraw(leaf, Buffer.from(secret, 'hex'), prizes);
  for (const fault of faults) report('prize_not_drawn', fault);
  if (set) countDraw(day.odds, leaf, set);
}

/** Repeats an outcome's draw. `faults` are sentences; `set` is absent if no prize could be drawn. */
export function repeatDraw(
  leaf: OutcomeLeaf,
  secret: Buffer,
  prizes: readonly Prize[],
): { faults: string[]; set?: DrawSet } {
  const { budgets, debug, client_seed, spin_index, prize_id, game, prize_table_version } = leaf;
  if (!prize_table_version.startsWith(`${game}-`)) return { faults: [`The table is not of ${game}.`] };
  if (budgets && (budgets.stock !== undefined) !== hasStock(prizes))
    return { faults: ['The record and its prize table do not agree about a limited stock.'] };
  const set = cachedDrawSet(prizes, budgets, debug);
  if (!set) return { faults: ['The limits leave no prize in the draw.'] };
  const serverSeed = seedOfOutcome(secret, leaf as OutcomeRecord);
  const { id, kind, amount } = drawPrize(set, { serverSeed, clientSeed: client_seed, spinIndex: spin_index });
  if (id !== prize_id) return { faults: [`The draw gives “${id}”, not “${prize_id}”.`], set };
  const [expected, found] = [
    [kind, amount, gameStatusOf[kind]],
    [...(Object.entries(leaf.prize)[0] ?? []), leaf.game_status],
  ];
  return { faults: expected.join() === found.join() ? [] : [`“${id}” is ${expected}, not ${found}.`], set };
}

/** A play uses the secret of its URL's day, but of no day after its record's: the book would reveal it too early. */
function checkSecretDay({ day }: BookDay, leaf: OutcomeLeaf, at: number, report: ReportFinding) {
  const { secret_day, token_hash } = leaf;
  const { from, to } = urlMadeBetween(leaf, at);
  const latest = dayOf(to) < day ? dayOf(to) : day;
  const isWrong = token_hash ? secret_day < dayOf(from) || secret_day > latest : secret_day !== day;
  if (isWrong) report('secret_not_as_published', `A draw of ${day} used the secret of ${secret_day}.`);
}

function checkUrl({ tokens: { before, today } }: History, tokenHash: string, report: ReportFinding) {
  if (today.has(tokenHash) || before.has(tokenHash))
    report('play_twice', 'An earlier outcome has the same play URL.');
  today.add(tokenHash);
}

function checkSpin({ day, book }: BookDay, user: UserState, leaf: OutcomeLeaf, report: ReportFinding) {
  const { order_id = '', spin_index: index, client_seed, prize_table_version } = leaf;
  const order = user.orders?.get(order_id);
  if (!order) {
    if (user.isWhole) report('spin_not_ordered', `The user has no order ${order_id}.`);
    // The order is in a book that was not given, so its spins are only compared with each other.
    const presumed = { hash: client_seed, num_of_spins: Infinity, due_day: '', prize_table_version };
    user.orders = (user.orders ?? new Map()).set(order_id, { ...presumed, next: index + 1 });
    return;
  }
  const spin = `spin ${index + 1} of order ${order_id}`;
  if (index >= order.num_of_spins) report('spin_not_ordered', `The order has no ${spin}.`);
  else if (index < order.next) report('spin_twice', `${spin} ran before.`);
  else if (index > order.next) report('spin_not_ordered', `${spin} ran before the one ahead of it.`);
  order.next = Math.max(order.next, index + 1);
  // Stages for tests run queued spins early on request.
  if (book.header.stage === 'production' && day < order.due_day)
    report('spin_not_ordered', `${spin} is due on ${order.due_day}.`);
  if (client_seed !== order.hash)
    report('client_seed_differs', `The client seed of ${spin} is not the hash of the order’s record.`);
  if (prize_table_version !== order.prize_table_version)
    report('terms_not_in_force', `${spin} was drawn from table “${prize_table_version}”.`);
}
