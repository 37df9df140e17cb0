/** Explains drawings, and prizes until they are in hand. */
import type { ClaimRecord, OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { readUserOrErased } from '../../../../shared/accounts/user.ts';
import { drawingLateAfterMs } from '../../../../shared/actions/start-drawings.ts';
import { type Drawing, readRootTimestamp } from '../../../../shared/drawings/drawings.ts';
import { closingStartsAt, drawableAt } from '../../../../shared/drawings/terms.ts';
import { readDrawingViews } from '../../../../shared/drawings/view.ts';
import { isOwed } from '../../../../shared/prizes/claim-steps.ts';
import { claimOf } from '../../../../shared/prizes/claims.ts';
import { getItem } from '../../../../shared/table/client.ts';
import { drawingKey } from '../../../../shared/table/drawing-keys.ts';
import { recordsOfUser } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { newYorkTime } from '../../../../shared/time.ts';
import type { ClaimState, DrawingState } from '../../../../shared/vocabulary.ts';
import { recordSentence } from '../record-sentences.ts';
import { readWin } from '../report/outcomes.ts';
import { adminCommand, type Explained, findInOrganizations } from './explained.ts';

const claimStates: Record<ClaimState, string> = {
  untracked: 'The host hands it out, and its delivery is not tracked',
  open: 'It is owed',
  held: 'It is held back',
  delivered: 'It is delivered',
  forfeited: 'It is forfeited',
};

/** `claimBy` is an ISO instant. */
function claimText(state: ClaimState, claimBy: string | null, now: number): string {
  if ((state !== 'open' && state !== 'held') || claimBy === null) return `${claimStates[state]}.`;
  const passed = Date.parse(claimBy) < now ? 'had to' : 'must';
  return `${claimStates[state]}, and ${passed} be claimed by ${newYorkTime(Date.parse(claimBy))}.`;
}

const stepsOf = (prizeId: string) => [
  `prize deliver --prize ${prizeId} --reference …`,
  `prize forfeit --prize ${prizeId} --why …`,
];

/** Returns what became of an outcome's prize. Undefined for a test play, and for tickets and entries. */
export async function explainPrize(outcome: OutcomeRecord, now: number) {
  const { id, organization_id: org, user_id } = outcome;
  const won = await readWin(outcome, new Map());
  if (!won) return undefined;
  const steps = await recordedSteps(org, user_id, id);
  const { state } = claimOf(won, steps.at(-1));
  const isFinal = state === 'delivered' || state === 'forfeited';
  const { erased_at } = await readUserOrErased(org, user_id);
  const isStuck = erased_at !== undefined || state === 'untracked';
  const next = isStuck ? [] : isFinal ? [`prize correct --prize ${id} …`] : stepsOf(id);
  return {
    happened: steps.map(happenedIn),
    state: `The prize: ${claimText(state, won.claim_by, now)}`,
    next: next.map((step) => adminCommand(step, org)),
  };
}

async function recordedSteps(org: string, userId: string, prizeId: string): Promise<ClaimRecord[]> {
  const all = await readRange(recordsOfUser(org, userId, 'claims'), { consistent: true });
  return (all as ClaimRecord[]).filter(({ prize_id }) => prize_id === prizeId);
}
const happenedIn = (step: ClaimRecord) => ({ at: step.date_created, sentence: recordSentence(step) });

/** Explains a drawing by its id or the id of one of its prizes (`drawnPrizeIdOf`). */
export async function explainDrawing(id: string, org: string | undefined, now: number) {
  const [drawingId = ''] = id.split(':');
  const place = await findInOrganizations(org, (one) => getItem<Drawing>(drawingKey(one, drawingId)));
  if (!place) return undefined;
  const { organizationId, found } = place;
  const { terms, announced_at, list, drawn, called_off, state } = found;
  const [view] = await readDrawingViews([found]);
  const chosen = view!.winners.find(({ prize_id }) => prize_id === id && id !== drawingId);
  const winners = chosen ? [chosen] : view!.winners;
  const steps = chosen ? await recordedSteps(organizationId, chosen.user_id, id) : [];
  const [closing, drawing] = [closingStartsAt(terms), drawableAt(terms)];
  const isLate = (at: number) =>
    now > at + drawingLateAfterMs ? ['It is late: stage alarms and stage queues show why.'] : [];
  const entries = `${list?.total_entries} entries of ${list?.entrants} users`;
  const timestamp = list && (await readRootTimestamp(found)) ? 'timestamped' : 'not timestamped yet';
  const owed = winners.filter(({ claim_state: state }) => isOwed({ state }));
  const owners = winners.map(
    ({ place: number, user_id, external_reference, claim_state, claim_by }) =>
      `Place ${number}, ${user_id} (${external_reference || 'erased'}): ${claimText(claim_state, claim_by, now)}`,
  );
  const decided = `Round ${terms.round} of the public beacon drand, fixed by the announcement, decided among the list with root ${list?.root}${terms.is_test ? '' : ', which was public before'}. Anybody can repeat it with the export.`;
  const states: Record<DrawingState, Pick<Explained, 'state' | 'why' | 'next'>> = {
    announced: {
      state: `It is announced: entries count until the end of ${terms.closes} in New York.`,
      why: [
        `It closes at ${newYorkTime(closing)} and is drawn at ${newYorkTime(drawing)}.`,
        ...isLate(closing),
      ],
      next: [`drawing call-off --drawing ${drawingId} --why …`],
    },
    closed: {
      state: `It is closed: its list is public and ${timestamp}.`,
      why: [`It is drawn by round ${terms.round}, at ${newYorkTime(drawing)}.`, ...isLate(drawing)],
      next: [`drawing show --drawing ${drawingId}`],
    },
    drawn: {
      state: owners.join(' ') || 'Nobody had entries, so nobody won.',
      why: owners.length > 0 ? [decided] : [],
      next: [...owed.flatMap(({ prize_id }) => stepsOf(prize_id)), `drawing export --drawing ${drawingId}`],
    },
    called_off: { state: `It is called off: ${called_off}`, next: ['audit list'] },
  };
  return {
    id: chosen ? id : drawingId,
    organization_id: organizationId,
    what: `${chosen ? `the prize of place ${chosen.place} in ` : ''}a ${terms.is_test ? 'test ' : ''}drawing of ${terms.winners} × “${terms.prize.en}”, worth ${terms.value_usd} USD each, among all ${terms.type} entries`,
    happened: [
      { at: announced_at, sentence: 'It was announced.' },
      ...(list ? [{ at: list.closed_at, sentence: `It closed, and used up ${entries}: its list.` }] : []),
      ...drawn.map(({ place: number, user_id, won_at, forfeited }) => ({
        at: won_at,
        sentence: `${user_id} was drawn for place ${number}${forfeited === undefined ? '' : `, and forfeited it: ${forfeited}`}.`,
      })),
      ...steps.map(happenedIn),
    ],
    ...states[state],
    next: states[state].next!.map((step) => adminCommand(step, organizationId)),
  } satisfies Explained;
}
