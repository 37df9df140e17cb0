// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for draws, prizes, limits and plays. */
export const games: Bug[] = [
  {
    name: 'the draw takes the remainder of a division',
    file: 'shared/games/draw.ts',
    from: 'if (number < total) return number;',
    to: 'if (number <= mask) return number % total;',
  },
  {
    name: 'a draw that is made again follows from the one before it',
    file: 'shared/games/draw.ts',
    from: 'digest: digestOf(prizes) }',
    to: 'digest: digestOf([]) }',
  },
  {
    name: "the draw's mask is a bit too short",
    file: 'shared/games/draw.ts',
    from: '2 ** (32 - Math.clz32(total - 1)) - 1',
    to: '2 ** (31 - Math.clz32(total - 1)) - 1',
  },
  {
    name: "a prize's chances reach one into those of the next",
    file: 'shared/games/draw.ts',
    from: 'if (left < 0) return prize;',
    to: 'if (left <= 0) return prize;',
  },
  {
    name: 'the last dollars of a day cannot be won',
    file: 'shared/games/budgets.ts',
    from: 'granted + taken <= limit &&',
    to: 'granted + taken < limit &&',
  },
  {
    name: 'the daily limit lets one more play through',
    file: 'shared/games/eligibility.ts',
    from: 'playsOn(user, on) >= settings.daily_spin_limit;',
    to: 'playsOn(user, on) > settings.daily_spin_limit;',
  },
  {
    name: 'a user for whom only tickets are left is told not to play',
    file: 'shared/games/eligibility.ts',
    from: 'playable: obstacles.length === 0 &&',
    to: 'playable: obstacles.length === 0 && !ticketsOnly &&',
  },
  {
    name: 'only tickets are drawn once the highest cash prize is out of reach',
    file: 'shared/games/budgets.ts',
    from: '!cash.some((prize)',
    to: '!cash.every((prize)',
  },
  {
    name: 'a flight entry that was won is credited as a truck entry',
    file: 'shared/games/prizes.ts',
    from: "entry_flight: 'flight',",
    to: "entry_flight: 'truck',",
  },
  {
    name: 'the debug jackpot is the lowest cash prize',
    file: 'shared/games/prizes.ts',
    from: 'best.amount >= one.amount ? best : one',
    to: 'best.amount <= one.amount ? best : one',
  },
  {
    name: 'a debug jackpot is stopped by the daily limit',
    file: 'shared/games/rules.ts',
    from: 'isLimited: false,',
    to: 'isLimited: true,',
  },
  {
    name: 'what a spin wins is attributed to the moment instead of its day',
    file: 'shared/games/outcomes.ts',
    from: 'post(spun.user, posting, now)',
    to: 'post(spun.user, { ...posting, result_effective_date: spun.outcome.timestamp }, now)',
  },
  {
    name: 'a play URL can be played twice at once',
    file: 'shared/games/play-sessions.ts',
    from: "'attribute_exists(pk) AND attribute_not_exists(played) AND",
    to: "'attribute_exists(pk) AND",
  },
  {
    name: 'a play URL can be played for an hour',
    file: 'shared/games/play-sessions.ts',
    from: 'return now >= Date.parse(expires_at);',
    to: 'return now - lifetimeMs >= Date.parse(expires_at);',
  },
  {
    name: 'a play URL shows its outcome for a month instead of a year',
    file: 'shared/games/play-sessions.ts',
    from: 'const keptPlayedMs = 365 * dayMs;',
    to: 'const keptPlayedMs = 30 * dayMs;',
  },
  {
    name: 'a second tab is refused what the first one has played',
    file: 'shared/games/plays.ts',
    from: 'return resultDespiteRefusal(token, refusal.code === userNotFound ? refusals.playNotFound() : refusal);',
    to: 'throw refusal;',
  },
  {
    name: 'a play that cannot be looked up is refused for what it did itself',
    file: 'shared/games/plays.ts',
    from: 'throw isForNow ? refusal : refusals.outcomeUnknown(error);',
    to: 'throw refusal;',
  },
  {
    name: 'a late try to make a play URL puts it back after it was played',
    file: 'shared/games/plays.ts',
    from: "await put(session, { ConditionExpression: 'attribute_not_exists(pk)' });",
    to: 'await put(session);',
  },
  {
    name: 'a played page shows the balance of before the play',
    file: 'shared/games/plays.ts',
    from: 'playedOf(spun.outcome, serverSeed, spun.user.balances.tickets)',
    to: 'playedOf(spun.outcome, serverSeed, user.balances.tickets)',
  },
  {
    name: 'a play after midnight is attributed to yesterday, when its URL was made',
    file: 'shared/games/plays.ts',
    from: 'resultEffectiveDate: startOfToday(now),',
    to: 'resultEffectiveDate: startOfToday(Date.parse(session.date_created)),',
  },
  {
    name: 'a play is drawn from a seed that its page did not commit to',
    file: 'shared/games/plays.ts',
    from: 'serverSeed, clientSeed, spinIndex: 0',
    to: "serverSeed: '00'.repeat(32), clientSeed, spinIndex: 0",
  },
  {
    name: 'a session that is stored tells the seed of its play',
    file: 'shared/games/play-sessions.ts',
    from: '    commitment: commitmentTo(seedOfPlay(secret, tokenHash)),',
    to: '    server_seed: seedOfPlay(secret, tokenHash),\n    commitment: commitmentTo(seedOfPlay(secret, tokenHash)),',
  },
  {
    name: 'a play after midnight is drawn with the secret of the new day',
    file: 'shared/games/play-sessions.ts',
    from: '[dayOf(Date.parse(date_created)), sha256(token)]',
    to: '[dayOf(Date.now()), sha256(token)]',
  },
  {
    name: 'a spin that has run tells the seeds of those after it',
    file: 'shared/games/seeds.ts',
    from: 'return hmac(secret, `spin\\n${user_id}\\n${order_sequence}\\n${spin_index}`);',
    to: 'return hmac(secret, `spin\\n${user_id}\\n${order_sequence}`);',
  },
  {
    name: 'the secret of a day is that of all organizations',
    file: 'shared/games/day-secrets.ts',
    from: 'const name = `${organizationId}\\n${day}`;',
    to: 'const name = `\\n${day}`;',
  },
  {
    name: 'every game costs what the wheel costs',
    file: 'shared/games/plays.ts',
    from: 'costOf(settings, game)',
    to: "costOf(settings, 'prizewheel')",
  },
  {
    name: 'plays and cash are counted by the day in UTC',
    file: 'shared/games/stored-budgets.ts',
    from: 'const day = dayOf(now);',
    to: 'const day = new Date(now).toISOString().slice(0, 10);',
  },
  {
    name: 'the first prize table that a function has met stays the one it draws from',
    file: 'shared/games/organization-tables.ts',
    from: 'const name = `${key.pk} ${key.sk}`;',
    to: 'const name = `${key.pk} ${game}`;',
  },
];
