import type { EntryRecord } from '../../../shared/accounts/records.ts';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import {
  type Announcement,
  announceDrawing,
  callOffDrawing,
  prepareDrawing,
  requireCanCallOff,
  scheduleDrawingSteps,
} from '../../../shared/actions/announce-drawing.ts';
import { drawWinners } from '../../../shared/actions/draw-winners.ts';
import { runTestDrawing } from '../../../shared/actions/run-drawings.ts';
import { stageBeacon } from '../../../shared/drand/stage-beacon.ts';
import {
  type Drawing,
  readDrawing,
  readEntrantList,
  readRootTimestamp,
} from '../../../shared/drawings/drawings.ts';
import { drawingFileText } from '../../../shared/drawings/file.ts';
import type { Entrant } from '../../../shared/drawings/list.ts';
import { closingStartsAt, drawableAt, drawnPrizeIdOf } from '../../../shared/drawings/terms.ts';
import { readDrawingViews } from '../../../shared/drawings/view.ts';
import { newId } from '../../../shared/ids.ts';
import { refusals } from '../../../shared/refusals.ts';
import { allShards } from '../../../shared/shards.ts';
import { holdersInShard } from '../../../shared/table/drawing-keys.ts';
import { recordsOfUser } from '../../../shared/table/keys.ts';
import { countItems, readRange } from '../../../shared/table/ranges.ts';
import { dayOf, isDay, isoOf, newYorkTime, parseInstant, serviceZone } from '../../../shared/time.ts';
import { type EntryType, entryTypes } from '../../../shared/vocabulary.ts';
import { BadUsage, parseInteger, parseNumber } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { stepPrizeAsOperator } from './prizes.ts';
import { writeLines } from './write-lines.ts';

/** A drawing's terms as the operator typed them. A test drawing has no `closes` and no `draws`. */
export type TypedDrawing = Record<'type' | 'prize' | 'value-usd' | 'claim-days', string> & {
  [name in 'prize-es' | 'winners' | 'closes' | 'draws']?: string;
};

/** Milliseconds from the announcement of a test drawing to its round. The drawing closes between. */
const testMs = 10_000;

/** Throws a BadUsage or a Refusal for the first error, before anything is done. */
export async function announce(
  organizationId: string,
  typed: TypedDrawing,
  { isDry = false, isTest = false }: { isDry?: boolean | undefined; isTest?: boolean | undefined },
  context: ActionContext,
) {
  const { now, readAt = Date.now() } = context;
  const terms = announcementTyped(typed, isTest ? now : undefined);
  const holders_now = await holdersOf(organizationId, terms.type);
  if (isTest && holders_now < terms.winners)
    throw new Problem(
      `${holders_now} users have ${terms.type} entries, too few for ${terms.winners} winners.`,
    );
  const few =
    holders_now < terms.winners
      ? [`Only ${holders_now} users have ${terms.type} entries now, and there are ${terms.winners} prizes.`]
      : [];
  if (isDry) {
    const drawing = await prepareDrawing(organizationId, newId('drw', now), stageBeacon(), terms, now);
    return { dry_run: true, ...warningOf(few), ...(await shown(drawing)), holders_now };
  }
  const drawing = await announceDrawing(organizationId, stageBeacon(), terms, context);
  if (isTest) return shown(await runTestDrawing(drawing, () => now + Date.now() - readAt));
  const late = await scheduleDrawingSteps(drawing).then(
    () => [],
    ({ message }: Error) => [`Steps begin up to 15 minutes late, because of: ${message}`],
  );
  return { ...warningOf([...few, ...late]), ...(await shown(drawing)), holders_now };
}

const warningOf = (warnings: string[]) => (warnings.length > 0 ? { warning: warnings.join(' ') } : {});

/**
 * `testAt` is when a test drawing is announced (epoch milliseconds). Undefined for real drawings, whose times are
 * typed.
 */
function announcementTyped(typed: TypedDrawing, testAt: number | undefined): Announcement {
  const type = entryTypes.find((one) => one === typed.type);
  if (!type) throw new BadUsage(`--type must be ${entryTypes.join(' or ')}, but is "${typed.type}".`);
  const value_usd = parseNumber('--value-usd', typed['value-usd'], [0, 1_000_000]);
  if (Math.round(value_usd * 100) / 100 !== value_usd)
    throw new BadUsage(`--value-usd can have two decimals, but is "${typed['value-usd']}".`);
  return {
    type,
    prize: { en: typed.prize, es: typed['prize-es'] ?? typed.prize },
    value_usd,
    winners: parseInteger('--winners', typed.winners ?? '1', [1, 100]),
    claim_days: parseInteger('--claim-days', typed['claim-days'], [1, 365]),
    ...(testAt === undefined ? timesTyped(typed) : timesOfTest(typed, testAt)),
  };
}

function timesTyped({ closes = '', draws = '' }: TypedDrawing) {
  const drawsAt = /\dT/i.test(draws) ? parseInstant(draws, serviceZone) : undefined;
  if (!isDay(closes)) throw new BadUsage(`--closes must be a day such as 2027-01-31, but is "${closes}".`);
  if (drawsAt === undefined)
    throw new BadUsage(`--draws must be a time such as 2027-02-03T20:00, but is "${draws}".`);
  return { closes, draws_at: isoOf(drawsAt) };
}

function timesOfTest({ closes, draws }: TypedDrawing, now: number) {
  if (closes ?? draws)
    throw new BadUsage('--test closes now and draws by the next round: leave out --closes and --draws.');
  return { closes: dayOf(now), draws_at: isoOf(now + testMs), is_test: true as const };
}

async function holdersOf(organizationId: string, type: EntryType): Promise<number> {
  const counts = allShards.map((shard) => countItems(holdersInShard(organizationId, type, shard)));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Returns the public view of a drawing and the times of its steps. */
async function shown(drawing: Drawing) {
  const { terms, list, signature, called_off, announced_at } = drawing;
  const [view] = await readDrawingViews([drawing]);
  const timestamp = (await readRootTimestamp(drawing)) ? 'stored' : 'not yet';
  return {
    ...view!,
    announced_at,
    closing_begins: newYorkTime(terms.is_test ? Date.parse(announced_at) : closingStartsAt(terms)),
    round_known_at: newYorkTime(drawableAt(terms)),
    ...(list && { closed_at: list.closed_at, timestamp }),
    signature,
    called_off,
  };
}

const largest = 10;

/** Includes the users with the most entries, so that operators see whether somebody was favored. */
export async function showDrawing(organizationId: string, drawingId: string) {
  const drawing = await readDrawing(organizationId, drawingId);
  const all = drawing.list ? await readEntrantList(drawing) : [];
  const top = all.toSorted((a, b) => b.entries - a.entries).slice(0, largest);
  const weights = top.map(async (entrant) => ({ ...entrant, ...(await sourcesOf(drawing, entrant)) }));
  const holders_now =
    drawing.state === 'announced' ? await holdersOf(organizationId, drawing.terms.type) : undefined;
  return { ...(await shown(drawing)), holders_now, largest: await Promise.all(weights) };
}

/** Counts, by source, the entries that a user got since an earlier drawing used entries up, and the entries taken. */
async function sourcesOf({ organization_id, terms }: Drawing, { user_id }: Entrant) {
  const none = { left_over: 0, credited_by_host: 0, won_in_games: 0, added_by_operators: 0, taken: 0 };
  let sources = { ...none };
  const ofType = recordsOfUser(organization_id, user_id, `entries#${terms.type}`);
  const records = (await readRange(ofType, { consistent: true })) as EntryRecord[];
  const givenBack = new Set(records.map(({ amount, drawing_id }) => amount > 0 && drawing_id));
  for (const { amount, balance_after, drawing_id, outcome_id, action_id } of records) {
    if (drawing_id === terms.drawing_id) break;
    if (drawing_id && givenBack.has(drawing_id)) continue;
    if (drawing_id) sources = { ...none, left_over: balance_after };
    else if (amount < 0) sources.taken -= amount;
    else if (outcome_id !== undefined) sources.won_in_games += amount;
    else if (action_id !== undefined) sources.added_by_operators += amount;
    else sources.credited_by_host += amount;
  }
  return sources;
}

export async function callOff(organizationId: string, id: string, isDry: boolean, context: ActionContext) {
  const drawing = await readDrawing(organizationId, id);
  requireCanCallOff(drawing);
  if (isDry) return { dry_run: true, drawing_id: id, would_be: 'called_off' };
  return shown(await callOffDrawing(drawing, context));
}

/** `user` is optional until the place is drawn again. A user who has already forfeited is a repeat, without effect. */
export async function forfeitPlace(
  organizationId: string,
  { drawing: id, place: typedPlace, user }: { drawing: string; place: string; user?: string | undefined },
  isDry: boolean,
  context: ActionContext,
) {
  const place = parseInteger('--place', typedPlace, [1, 100]);
  const drawing = await readDrawing(organizationId, id);
  const { drawn } = drawing;
  const ofPlace = drawn.filter((one) => one.place === place);
  const winner = ofPlace.findLast(({ user_id }) => user === undefined || user_id === user);
  if (!winner)
    throw refusals.invalid(
      user ? `user: ${user} has not won place ${place}` : `place: Nobody has won place ${place}`,
    );
  const { user_id, forfeited } = winner;
  const alternates_left = (drawing.list?.entrants ?? 0) - drawn.length;
  if (isDry)
    return { dry_run: true, place, would_forfeit: forfeited === undefined ? user_id : null, alternates_left };
  if (user === undefined && ofPlace.some((one) => one.forfeited !== undefined))
    throw refusals.invalid(
      `user: Somebody forfeited place ${place} before: name the user, such as ${user_id}`,
    );
  const prizeId = drawnPrizeIdOf(id, place, 1 + drawn.indexOf(winner));
  if (forfeited === undefined)
    await stepPrizeAsOperator(organizationId, prizeId, { state: 'forfeited' }, context);
  const after = await readDrawing(organizationId, id);
  return { alternates_left, ...(await shown(await drawWinners(after, after.signature!, context))) };
}

/** Writes the public file of a drawing. Throws a Problem if the drawing has not closed. */
export async function exportDrawing(organizationId: string, id: string, folder: string) {
  const drawing = await readDrawing(organizationId, id);
  if (!drawing.list) throw new Problem(`The drawing ${id} has not closed, so it has no list.`);
  const text = drawingFileText(drawing, await readRootTimestamp(drawing));
  const file = `${folder}/${id}.drawing`;
  await writeLines(file, [text]);
  return { file, root: drawing.list.root };
}
