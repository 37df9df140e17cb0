import type { OutcomeRecord } from '../accounts/records.ts';
import type { Account, Game, PrizeKind } from '../vocabulary.ts';
import { accountOfPrize } from './prizes.ts';

export type OutcomePosting = {
  account: Account;
  amount: number;
  description: string;
  outcome_id: string;
  result_effective_date: string;
};

type Outcome = Pick<OutcomeRecord, 'id' | 'game' | 'cost' | 'prize' | 'result_effective_date'>;

export function outcomePostings(outcome: Outcome): OutcomePosting[] {
  const { id, game, cost, prize, result_effective_date } = outcome;
  const posting = (account: Account, amount: number, description: string) => {
    return {
      account,
      amount,
      description: `${nameOf[game]} ${description}`,
      outcome_id: id,
      result_effective_date,
    };
  };
  const credits = Object.entries(prize).flatMap(([kind, amount]) => {
    const account = accountOfPrize(kind as PrizeKind);
    return account ? [posting(account, amount, 'prize')] : [];
  });
  return cost > 0 ? [posting('tickets', -cost, 'play'), ...credits] : credits;
}

const nameOf: Record<Game, string> = { prizewheel: 'Prize wheel', truck: 'Truck', flight: 'Flight' };
