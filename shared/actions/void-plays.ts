import { type PlaySession, readPlaySession } from '../games/play-sessions.ts';
import { sha256 } from '../ids.ts';
import type { TableWrite } from '../table/client.ts';
import type { ActionContext } from './action-records.ts';
import { recordUserAction } from './record-user-action.ts';

/** Voids a play URL, unless it was already played. Throws if the organization has no such URL. */
export const voidPlay = (
  organizationId: string,
  token: string,
  context: ActionContext,
): Promise<PlaySession> =>
  change(organizationId, token, context, 'play_voided', (session) =>
    session.voided || session.played
      ? undefined
      : {
          Item: { ...session, voided: true },
          ConditionExpression:
            'attribute_exists(pk) AND attribute_not_exists(played) AND attribute_not_exists(voided)',
        },
  );

/** Restores a voided play URL, which can then be played until it expires. */
export const restorePlay = (
  organizationId: string,
  token: string,
  context: ActionContext,
): Promise<PlaySession> =>
  change(organizationId, token, context, 'play_restored', ({ voided, ...session }) =>
    voided ? { Item: session, ConditionExpression: 'attribute_exists(voided)' } : undefined,
  );

async function change(
  organizationId: string,
  token: string,
  context: ActionContext,
  action: 'play_voided' | 'play_restored',
  putOf: (session: PlaySession) => TableWrite['Put'] | undefined,
): Promise<PlaySession> {
  const { user_id } = await readSessionOf(organizationId, token);
  const token_hash = sha256(token);
  const decide = async () => {
    const Put = putOf(await readSessionOf(organizationId, token));
    return Put && { action, about: { token_hash }, writes: { session: { Put } } };
  };
  await recordUserAction(organizationId, user_id, decide, context);
  return readSessionOf(organizationId, token);
}

async function readSessionOf(organizationId: string, token: string): Promise<PlaySession> {
  const session = await readPlaySession(token);
  if (session?.organization_id !== organizationId)
    throw new Error(`organization ${organizationId} has no such play URL`);
  return session;
}
