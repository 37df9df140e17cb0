import { credit } from '../../../shared/accounts/ledger.ts';
import { createUser } from '../../../shared/accounts/references.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changeSettings } from '../../../shared/actions/change-settings.ts';
import { closeDueBooks } from '../../../shared/actions/close-books.ts';
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { playGuestSpins } from '../../../shared/amoe/guest-spins.ts';
import { keptLineOf } from '../../../shared/books/book.ts';
import { verifyBookFiles } from '../../../shared/books/check/verify.ts';
import { writeBookFiles } from '../../../shared/books/export.ts';
import { readRecordsOfDay } from '../../../shared/books/records-of-day.ts';
import { readBook } from '../../../shared/books/stored-books.ts';
import { timestampBooks } from '../../../shared/books/timestamp-books.ts';
import { createPlayUrl, play } from '../../../shared/games/plays.ts';
import { debugStages, type Stage } from '../../../shared/stage.ts';
import { readStageAuthorities, type TimestampAuthority } from '../../../shared/stage-authorities.ts';
import { inTemporaryFolder } from '../../../shared/temporary-folder.ts';
import { addDays, dayOf, startOfDay } from '../../../shared/time.ts';
import { createTimestampAsker } from '../../../shared/timestamps/ask.ts';
import { games } from '../../../shared/vocabulary.ts';
import { eventually } from '../../common/eventually.ts';
import { Problem } from '../../common/problem.ts';
import { findDeployedStage, stages } from '../../deploy/stages.ts';
import { readOrganization } from './organization.ts';

const hourMs = 3_600_000;

/** Closes and verifies the book of a made-up day. Throws a Problem in production. */
export async function closeStandInDay(stage: Stage, context: ActionContext) {
  if (!debugStages.includes(stage)) throw new Problem(`There is no stand-in day on ${stage}.`);
  // A day's book can be closed from an hour after its end.
  const day = addDays(dayOf(context.now - hourMs), -1);
  const organizationId = await liveThrough(startOfDay(day) + 12 * hourMs, stage, context);
  const [closed] = await closeDueBooks(organizationId, context);
  const authorities = authoritiesOf(stage);
  if (authorities.length > 0)
    await timestampBooks(organizationId, createTimestampAsker(authorities), Date.now, () => true);
  const stored = closed === day ? await readBook(organizationId, day) : undefined;
  if (!stored) throw new Problem(`The book of ${day} is not closed; the closed day is ${closed ?? 'none'}.`);
  return inTemporaryFolder(async (folder) => {
    const files = await writeBookFiles(organizationId, stored, folder);
    const kept_line = keptLineOf(stored.book);
    const { verdict, findings } = verifyBookFiles(files, { key: stored.key, kept: [kept_line] });
    return {
      organization_id: organizationId,
      day,
      records: stored.book.size,
      timestamped: stored.timestamp !== undefined,
      verdict,
      findings: Object.fromEntries(findings.map(({ code, count }) => [code, count])),
      kept_line,
      key: stored.key,
    };
  });
}

function authoritiesOf(stage: Stage): readonly TimestampAuthority[] {
  const deployed = findDeployedStage(stage);
  return deployed ? stages[deployed].timestampAuthorities : readStageAuthorities();
}

/** Creates the organization at `start`, and records of all kinds in the minutes after. */
async function liveThrough(
  start: number,
  stage: Stage,
  { readAt: _, ...context }: ActionContext,
): Promise<string> {
  let now = start;
  const later = () => {
    now += 60_000;
    return now;
  };
  // Keeps the organization out of the list of organizations, because a scheduled worker could otherwise close the day
  // while its records are still being written.
  const { organization_id: organizationId } = await createOrganization(
    'Stand-in day',
    stage,
    { ...context, now },
    { isListed: false },
  );
  await changeSettings(organizationId, { daily_spin_limit: 10 }, { ...context, now: later() });
  const { user_id: userId } = await createUser(organizationId, 'stand-in', later());
  const change = { amount: 100, description: 'Stand-in day', idempotency_key: 'stand-in' };
  for (const account of ['tickets', 'truck'] as const)
    await credit({ organizationId, userId, account, change, now: later() });
  for (const game of games) {
    const { token } = await createPlayUrl({ organizationId, userId, game, lang: 'en', now: later() });
    await play(token, 'stand-in', later());
  }
  const asked = { num_of_spins: 3, idempotency_key: 'stand-in' };
  await playGuestSpins({ organizationId, userId, asked, now: later() });
  await untilIndexed(organizationId, userId, dayOf(now));
  return organizationId;
}

/** Waits until the index `byTime`, from which books are made, has all records. */
async function untilIndexed(organizationId: string, userId: string, day: string): Promise<void> {
  const { actions } = await readOrganization(organizationId);
  const all = (await readUser(organizationId, userId)).sequence + Number(actions);
  await eventually('an index entry of each record', async () => {
    let indexed = 0;
    for await (const _ of readRecordsOfDay(organizationId, day)) indexed++;
    return indexed === all ? indexed : undefined;
  });
}
