/** All actions of simulated hosts, players and operators, by name, with their default weights. */
import type { Random } from '../../support/random.ts';
import { burst, creditEntries, creditTickets, debitEntries, debitTickets, reuseKey } from './balances.ts';
import { setCashLimit, setSpinLimit } from './debug-limits.ts';
import { announceDrawing, testDrawing } from './drawings.ts';
import { playGuestSpins, queueGuestSpins, queueSpins, runSpinsNow } from './free-spins.ts';
import { cancelSpins, freeze, pause, suspend, voidPlay } from './holds.ts';
import { type Host, isNeglected, pickOrUndefined, sendRequest, type User } from './host.ts';
import { sendInvalidRequest } from './invalid-requests.ts';
import { readCalls, readEvents, readReport, readUser } from './lists.ts';
import {
  adjustBalance,
  changeKey,
  dropSecret,
  eraseUser,
  explainOutcome,
  explainUser,
  handOver,
  importPrizes,
  rebuildReports,
  replay,
} from './operators.ts';
import { readPage, setPage } from './pages.ts';
import { play, playAtMidnight, playAtOnce, playForced } from './plays.ts';
import { setCost, setLimits, setPrizeTable, setPromotion, showGames, unschedule } from './settings.ts';
import { createAgain, lookUp, rename } from './users.ts';
import { invoke, readWebhooks, register, remove, update } from './webhooks.ts';

type UserAction = (host: Host, user: User, random: Random) => Promise<void>;
type HostAction = (host: Host, random: Random) => Promise<void>;

/** Actions that a host takes for one of its users. */
export const userActions = {
  creditTickets,
  debitTickets,
  creditEntries,
  debitEntries,
  reuseKey,
  burst,
  readUser,
  lookUp,
  rename,
  createAgain,
  play,
  playAtOnce,
  playAtMidnight,
  playForced,
  queueSpins,
  queueGuestSpins,
  playGuestSpins,
  repeatOld,
  sendInvalidRequest,
} satisfies Record<string, UserAction>;

/** Skips an action of a neglected host. */
const unlessNeglected =
  (act: HostAction): HostAction =>
  async (host, random) => {
    if (!isNeglected(host)) await act(host, random);
  };

/** Actions that a host takes for its organization. */
export const hostActions = {
  readReport,
  readCalls,
  readEvents,
  register: unlessNeglected(register),
  update: unlessNeglected(update),
  remove: unlessNeglected(remove),
  invoke,
  readWebhooks,
  setCashLimit,
  setSpinLimit,
  runSpinsNow,
  readPage,
  setPage,
} satisfies Record<string, HostAction>;

/** Actions that an operator takes for an organization. */
export const operatorActions = {
  setLimits,
  setCost,
  setPrizeTable,
  showGames,
  unschedule,
  changeKey,
  rebuildReports,
  explainUser,
  explainOutcome,
  dropSecret,
  replay,
  suspend,
  pause,
  freeze,
  cancelSpins,
  voidPlay,
  eraseUser,
  adjustBalance,
  testDrawing,
  announceDrawing,
  handOver,
  importPrizes,
  setPromotion,
} satisfies Record<string, HostAction>;

type ActionName = keyof typeof userActions | keyof typeof hostActions | keyof typeof operatorActions;

/** The weight of each action, which is proportional to the action's probability. */
export type Weights = Record<ActionName, number>;

export const defaultWeights: Weights = {
  creditTickets: 10,
  debitTickets: 4,
  creditEntries: 4,
  debitEntries: 2,
  reuseKey: 2,
  burst: 1,
  readUser: 8,
  lookUp: 4,
  rename: 2,
  createAgain: 1,
  play: 12,
  playAtOnce: 1,
  playAtMidnight: 2,
  playForced: 1,
  queueSpins: 4,
  queueGuestSpins: 1,
  playGuestSpins: 3,
  repeatOld: 3,
  sendInvalidRequest: 4,
  readReport: 6,
  readCalls: 2,
  readEvents: 4,
  register: 3,
  update: 2,
  remove: 1,
  invoke: 3,
  readWebhooks: 2,
  setCashLimit: 1,
  setSpinLimit: 1,
  runSpinsNow: 0.3,
  readPage: 1,
  setPage: 2,
  setLimits: 4,
  setCost: 1,
  setPrizeTable: 3,
  showGames: 1,
  changeKey: 1,
  rebuildReports: 1,
  explainUser: 3,
  explainOutcome: 3,
  dropSecret: 1,
  replay: 1,
  suspend: 1,
  pause: 2,
  freeze: 2,
  cancelSpins: 2,
  voidPlay: 2,
  adjustBalance: 3,
  testDrawing: 1,
  announceDrawing: 1,
  handOver: 3,
  importPrizes: 1,
  setPromotion: 0.5,
  eraseUser: 1,
  unschedule: 1,
};

/** Draws the action weights of a world: each is 0, or a quarter to four times the default. */
export function drawWeights(random: Random): Weights {
  const never = random.pick([0, 0.1, 0.3, 0.6]);
  const drawn = Object.entries(defaultWeights).map(([name, weight]) => {
    const times = 2 ** (4 * random.next() - 2);
    return [name, random.chance(never) ? 0 : weight * times];
  });
  return Object.fromEntries(drawn) as Weights;
}

/** Draws the name of an action by weight. Returns undefined if all weights are 0. */
export function drawAction<Name extends ActionName>(
  actions: Record<Name, unknown>,
  weights: Weights,
  random: Random,
): Name | undefined {
  const names = Object.keys(actions) as Name[];
  const taken = Object.fromEntries(
    names.flatMap((name) => (weights[name] > 0 ? [[name, weights[name]]] : [])),
  ) as Record<Name, number>;
  return Object.keys(taken).length > 0 ? random.weighted(taken) : undefined;
}

/** Repeats a random earlier request of the host. The service must recognize the request as a repetition. */
async function repeatOld(host: Host, _: User, random: Random): Promise<void> {
  const old = pickOrUndefined(random, host.sent);
  if (old) await sendRequest(host, old, random);
}
