import { failureTexts } from '../../../../shared/api/failure-page.ts';
import type { Game, Hold, PlayObstacle, PrizeKind } from '../../../../shared/vocabulary.ts';

type OfEachWord = {
  games: Record<Game, { title: string; tagline: string }>;
  action: Record<Game, string>;
  /** An empty text shows no note. */
  odds: { note: Record<Game, string> };
  /** `button` asks again whether the user can play. Absent for the daily limit, which usually outlasts the play URL. */
  refused: Record<PlayObstacle | Hold, { title: string; text: string; button?: string }>;
  client: { playing: Record<Game, string> };
  /**
   * Labels of won prizes that are not in the page's prize table. Tickets use the plural forms in `tickets`
   * instead.
   */
  kinds: Record<Exclude<PrizeKind, 'tickets'>, string>;
  /** Texts on the wheel's wedges: one word of at most 12 letters, or two words of at most 9 letters each. */
  short: Record<Exclude<PrizeKind, 'tickets' | 'cash_usd'>, string>;
};

const texts = {
  games: {
    prizewheel: {
      title: 'Prize Wheel',
      tagline: 'One spin. Something good every time.',
    },
    truck: {
      title: 'Special Delivery',
      tagline: 'Send the truck. See what it brings you.',
    },
    flight: {
      title: 'Now Arriving',
      tagline: 'Cleared for takeoff. Your prize is on board.',
    },
  },
  balance: { label: 'Your tickets' },
  sound: 'Sound',
  tickets: { one: '{n} ticket', other: '{n} tickets' },
  action: {
    prizewheel: 'Spin the wheel',
    truck: 'Send the truck',
    flight: 'Take off',
  },
  cost: { free: 'Free play', paid: 'Costs {tickets}' },
  claim: {
    held: 'This prize is on hold until something is settled. Ask in the app what is missing.',
    delivered: 'Handed over on {day}.',
    forfeited: 'This prize can’t be claimed any more.',
  },
  drawing: {
    entries: { truck: 'Your truck entries:', flight: 'Your flight entries:' },
    announced: '{prize}: drawn on {time}. Entries count until the end of {day}, New York time.',
    closed:
      '{prize}: drawn on {time} from the entries at the end of {day}. Fingerprint of their list: {root}',
  },
  drawn: 'You won a drawing: {prize}! Claim it in the app by {time}.',
  promotion: '{name}: from {from} to {to}, New York time.',
  notice: {
    outside: 'The promotion is not on today. This play can win only tickets.',
    ticketsOnly: 'This play can win only tickets.',
    ticketsForNow: 'Right now this play can win only tickets. There will be more cash prizes later today.',
    winsUsedUp: {
      one: 'You’ve reached today’s limit of one win. This play can win only tickets or entries.',
      other: 'You’ve reached today’s limit of {n} wins. This play can win only tickets or entries.',
    },
    preview: 'Preview only. Nothing is played or charged.',
    noScript: 'Playing needs JavaScript. Please turn it on, or open this link in another browser.',
  },
  odds: {
    title: 'Prizes and odds',
    caption: 'Chance of each prize in this play',
    prize: 'Prize',
    chance: 'Chance',
    oneIn: '1 in {n}',
    outFor: {
      today: 'Not in the draw today',
      later: 'Not in the draw yet',
      test: 'Not in this test',
      won: 'All have been won',
      won_today: 'All won for today',
    },
    note: {
      prizewheel: 'Every prize takes the same space on the wheel. Its chance is the one listed here.',
      truck: '',
      flight: '',
    },
  },
  back: { plain: 'Back to the app', named: 'Back to {name}' },
  rules: 'Official rules',
  freeEntry: {
    noPurchase: 'No purchase necessary.',
    inRules: 'The official rules say how to enter for free.',
    link: 'Enter for free',
  },
  refused: {
    insufficient_tickets: {
      title: 'Not enough tickets',
      text: 'This game costs {cost} and you have {balance}. Get more tickets, then come back to this page.',
      button: 'Check again',
    },
    daily_spin_limit_reached: {
      title: 'That’s all for today',
      text: 'You’ve used every play for today. Fresh ones are on the way.',
      limited: {
        one: 'You’ve used your play for today.',
        other: 'You’ve used your {n} plays for today.',
      },
    },
    game_paused: {
      title: 'Taking a short break',
      text: 'This game is paused for a moment. No tickets were taken. Please try again later.',
      button: 'Check again',
    },
    organization_suspended: {
      title: 'Taking a short break',
      text: 'Games are paused for a moment. No tickets were taken. Please try again later.',
      button: 'Check again',
    },
    user_frozen: {
      title: 'Your account is on hold',
      text: 'You can’t play at the moment. Your tickets and prizes are safe. Please contact support in the app.',
      button: 'Check again',
    },
    until: 'You can play again starting {time}',
  },
  voided: {
    title: 'This link is no longer valid',
    text: 'No tickets were taken. Go back to the app and open the game again.',
  },
  expired: {
    title: 'This link has timed out',
    text: 'Play links last 30 minutes. No tickets were taken. Go back to the app and open the game again.',
  },
  unknown: failureTexts.en.unknown,
  client: {
    left: '{time} left to play',
    minutesLeft: {
      one: '{n} minute left to play',
      other: '{n} minutes left to play',
    },
    timeUp: 'Time is up.',
    checking: 'Checking…',
    noAnswer: 'No answer yet. Trying again…',
    playing: {
      prizewheel: 'Spinning…',
      truck: 'On the road…',
      flight: 'In the air…',
    },
    board: { ready: 'BOARDING', playing: 'IN FLIGHT', arrived: 'LANDED' },
    slow: 'The connection is slow. Your play is safe; we’re asking for the result again.',
    offline: 'You’re offline. Your play is safe; the result will show as soon as you’re back.',
    stalled: 'Still no answer. Your play is safe: if it went through, its result is waiting here for you.',
    busy: 'Lots of people are playing right now. Your play is safe; one moment.',
    askAgain: 'Ask again',
    tryAgain: 'That didn’t work. Your play is safe; please try again.',
    close: 'You can close this now.',
    previewPressed: 'This is where the game would start.',
    backAt: 'To go back, open {url}. It can’t open from here.',
    rulesAt: 'The rules are at {url}. They can’t open from here.',
    cutOff: 'This game can’t be played here. Please open it in the app.',
    won: { small: 'You got', other: 'You won' },
    paid: 'You paid {tickets}.',
    worth: 'Worth {usd}',
    balance: {
      one: 'You now have {n} ticket.',
      other: 'You now have {n} tickets.',
    },
    next: 'It’s yours. We’ve saved it to your account.',
    claimBy: 'Claim it by {time}.',
    playedAt: 'Played {time}',
    again: 'To play again, open the game from the app.',
    fair: {
      title: 'How it’s drawn',
      before:
        'The prize is drawn from two secrets: ours, sealed before you play, and one your device makes. Here is our seal. After the play we open it, and your device checks it.',
      checking: 'Checking the draw…',
      good: 'Checked on your device: the seal is intact and the draw gives exactly this prize.',
      otherCommitment:
        'The seal doesn’t match what we showed before the play. Please contact support with the result number.',
      draw: 'The seal is intact, but the draw doesn’t give this prize. Please contact support with the result number.',
      odds: 'The seal is intact, but the prizes and odds listed here aren’t those of the prize table below. Please contact support with the result number.',
      test: 'This was a test play with a fixed result.',
      missing:
        'The draw gives exactly this prize, but its place in the day’s book doesn’t check out. Please contact support with the result number.',
      elsewhere:
        'The draw gives exactly this prize, but with a secret that this device didn’t make. That’s fine if the link was played on another device. Otherwise something is wrong: please contact support with the result number.',
      inBook: 'The result is in the day’s book, at the place shown.',
      shrunk:
        'Between {from}, when this page was made, and {to}, when you played, these left the draw: {prizes}.',
      reference: 'Result',
      commitment: 'Our seal (SHA-256)',
      serverSeed: 'Our secret',
      clientSeed: 'The device’s secret',
      table: 'Prize table',
      set: 'Prizes in the draw',
      setOf: '{n} of {all}',
      cash: 'The day’s cash',
      cashLeft: '{left} of {limit} left, {wins} before yours',
      stock: 'Your prize’s number',
      stockNumber: 'No. {n} overall, no. {today} that day',
      cashWins: { one: '{n} win', other: '{n} wins' },
      book: 'The day’s book (New York)',
      bookPlace: '{day}, record {n} of {size}',
      bookDigest: 'The book’s line (SHA-256)',
    },
  },
  kinds: {
    cash_usd: '{cash} cash',
    entry_truck: 'Truck entry',
    entry_flight: 'Flight entry',
    prize_money_transfer: 'Free money transfer',
    prize_cash_back: 'Cash back',
    prize_streaming: 'Streaming pass',
    prize_imt: 'International top-up',
    prize_gift_card: 'Gift card',
    prize_phone_accessory: 'Phone accessory',
    prize_merchandise: 'Merchandise',
  },
  short: {
    entry_truck: 'Truck entry',
    entry_flight: 'Flight entry',
    prize_money_transfer: 'Transfer',
    prize_cash_back: 'Cash back',
    prize_streaming: 'Streaming',
    prize_imt: 'Top-up',
    prize_gift_card: 'Gift card',
    prize_phone_accessory: 'Accessory',
    prize_merchandise: 'Merch',
  },
};

export const en = texts satisfies OfEachWord;

/** `{name}` marks a placeholder; `one` and `other` are singular and plural. */
export type Texts = typeof en & OfEachWord;
