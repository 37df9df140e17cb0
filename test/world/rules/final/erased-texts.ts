/** The rule that no stored item contains texts of erased users. */
import type { Exchange, OperatorCommand, StoredItem } from '../../journal.ts';
import type { EndRule, World } from './final-state.ts';
import { optionOf } from './possible-settings.ts';

/** Returns each user's last erase command. `first` is the first command's time in epoch milliseconds. */
export function erasures({
  journal,
}: Pick<World, 'journal'>): Map<string, OperatorCommand & { first: number }> {
  const found = new Map<string, OperatorCommand & { first: number }>();
  for (const command of journal.operatorCommands) {
    const { args, at } = command;
    if (args[0] !== 'user' || args[1] !== 'erase') continue;
    const user = optionOf(args, 'user')!;
    found.set(user, { ...command, first: found.get(user)?.first ?? at });
  }
  return found;
}

/** Returns whether a command to erase the user was started at or before `at`. */
export const mayBeErased = (world: World, userId: string | undefined, at: number): boolean =>
  (erasures(world).get(userId ?? '')?.first ?? Infinity) <= at;

const userOf = ({ path, answer }: Exchange): string | undefined => path.user_id ?? answer?.body?.user_id;
const textFields = ['external_reference', 'description', 'idempotency_key'];

/** Returns all texts in hosts' requests and operators' balance adjustments, with the ids of the users concerned. */
function textsIn({ journal }: World): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  const addText = (text: unknown, user = '') => {
    if (typeof text === 'string' && text !== '') texts.set(text, (texts.get(text) ?? new Set()).add(user));
  };
  for (const exchange of journal.exchanges)
    for (const field of textFields) {
      addText(exchange.body?.[field], userOf(exchange));
      addText(exchange.endpoint === 'users/find' ? undefined : exchange.query[field], userOf(exchange));
    }
  for (const { args } of journal.operatorCommands)
    if (args[1] === 'adjust') addText(optionOf(args, 'why'), optionOf(args, 'user'));
  return texts;
}

/** Yields all strings in an item, including strings in JSON payloads of webhook calls. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    if (value.startsWith('{')) yield* textsOf(JSON.parse(value));
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) yield* textsOf(one);
  }
}

/**
 * Each user's last erase command completes the erasure, or fails because free spins wait. No item contains a text from
 * an erased user's data, unless another user's data contains the same text.
 */
const noErasedTexts: EndRule = {
  rule: 'no stored item contains an erased user’s texts',
  check(world, report) {
    const erased = new Set<string>();
    for (const [user, { exitCode, printed }] of erasures(world)) {
      const item = world.histories.get(user)?.user;
      const isWaiting = String(printed).includes('free spins');
      if (exitCode === 0) erased.add(user);
      else if (!isWaiting) report(`${user} could not be erased: ${JSON.stringify(printed)}`);
      const { complete } = (printed ?? {}) as { complete?: boolean };
      const isErased = complete && item?.erased_at && item.external_reference === '' && !item.text_key;
      if (exitCode === 0 && !isErased) report(`${user} is not erased`);
    }
    if (erased.size === 0) return;
    const erasedTexts = new Map(
      [...textsIn(world)].filter(([, users]) => users.size === 1 && erased.has([...users][0]!)),
    );
    for (const item of world.items) for (const fault of faultsOf(item, erasedTexts)) report(fault);
  },
};

function* faultsOf(item: StoredItem, erasedTexts: Map<string, Set<string>>): Generator<string> {
  const { pk, sk, ...fields } = item;
  // Skips keys that end with a shard's number, which can equal a short text.
  const named = /^(?!REF#)\w+#\w+#\d+$/.test(pk) ? '' : pk.split('#').slice(2).join('#');
  for (const text of [named, ...textsOf(fields)])
    if (erasedTexts.has(text))
      yield `${pk} ${sk} contains ${JSON.stringify(text)} of ${[...erasedTexts.get(text)!]}`;
}

export const erasedRules = [noErasedTexts];
