import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { type Adjustment, adjustBalance } from '../../../shared/actions/adjust-balance.ts';
import { maxAmount } from '../../../shared/api/schemas.ts';
import { accounts } from '../../../shared/vocabulary.ts';
import { BadUsage, wholeNumberPattern } from '../../common/arguments.ts';

/** `amount` is a whole number, negative for a debit; `once` is an idempotency key. */
type TypedAdjustment = { account: string; amount: string; once?: string };

/** If the adjustment is invalid, changes nothing and throws a Problem or a Refusal. */
export async function adjustUser(
  organizationId: string,
  userId: string,
  typed: TypedAdjustment,
  context: ActionContext,
): Promise<Adjustment & { replayed: boolean }> {
  const account = accounts.find((one) => one === typed.account);
  if (!account)
    throw new BadUsage(`There is no account "${typed.account}". Choose one of: ${accounts.join(', ')}.`);
  const amount = wholeNumberPattern.test(typed.amount) ? Number(typed.amount) : 0;
  if (amount === 0 || Math.abs(amount) > maxAmount) {
    const may = `a whole number from 1 to ${maxAmount}, or from -${maxAmount} to -1 to debit`;
    throw new BadUsage(`--amount must be ${may}, but is "${typed.amount}".`);
  }
  const adjustment = { organizationId, userId, account, amount, once: typed.once };
  const { reply, replayed } = await adjustBalance(adjustment, context);
  return { ...reply, replayed };
}
