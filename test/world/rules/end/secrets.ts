/** Rules of what must not be stored or logged: secrets in the clear. */
import { exchangesOf, succeeded } from './exchanges.ts';
import { tokenIn } from './play-urls.ts';
import type { EndRule, World } from './world.ts';

const secretText = /[A-Za-z0-9_-]{43,}/g;

/** Shows every text in a value to somebody, keys of objects aside. */
function eachText(value: unknown, see: (text: string) => void): void {
  if (typeof value === 'string') see(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) eachText(part, see);
}

/** The secrets of API keys and the tokens of play URLs that anybody was told. */
function tokensTold(world: World): Set<string> {
  const tokens = new Set<string>();
  for (const { printed } of world.journal.operatorCommands)
    eachText(printed, (text) => {
      if (/^inc_[a-z]+_/.test(text)) tokens.add(text.slice(-43));
    });
  for (const exchange of exchangesOf(world, 'games/play', 'debug/play').filter(succeeded))
    tokens.add(tokenIn(exchange));
  return tokens;
}

/** The secrets of webhooks that are long enough not to be a word of something else. */
const webhookSecrets = (world: World) =>
  exchangesOf(world, 'webhooks/create', 'webhooks/update')
    .map(({ body }) => body?.secret_key)
    .filter((secret) => typeof secret === 'string' && secret.length >= 16);

/**
 * No item holds the secret of an API key, the token of a play URL or the secret of a webhook, alone or within a longer
 * text: only what they cannot be told from.
 */
const hashesOnly: EndRule = {
  rule: 'no secret is stored in the clear',
  check(world, say) {
    const tokens = tokensTold(world);
    for (const item of world.items)
      eachText(item, (text) => {
        if (text.length >= 43 && hasToken(text, tokens)) say(`${item.pk} ${item.sk} holds a token`);
      });
    const secrets = [...new Set<string>(webhookSecrets(world))];
    for (const item of [...world.of('webhook'), ...world.of('webhooks'), ...world.of('invocation')])
      eachText(item, (text) => {
        if (secrets.some((secret) => text.includes(secret))) say(`${item.pk} ${item.sk} holds a secret`);
      });
  },
};

/** No line of a log holds one either. */
const notLogged: EndRule = {
  rule: 'no secret is logged',
  check(world, say) {
    const tokens = tokensTold(world);
    const secrets = [...new Set<string>(webhookSecrets(world))];
    for (const line of world.journal.logs)
      if (hasToken(line, tokens) || secrets.some((secret) => line.includes(secret))) say(line);
  },
};

/** Whether a text has one of some tokens in it. */
function hasToken(text: string, tokens: Set<string>): boolean {
  for (const [found] of text.matchAll(secretText)) {
    // Seeds and commitments, of which there are many, are hexadecimal; tokens are not.
    if (!/[^0-9a-f]/.test(found)) continue;
    for (let start = 0; start + 43 <= found.length; start++)
      if (tokens.has(found.slice(start, start + 43))) return true;
  }
  return false;
}

export const secretRules = [hashesOnly, notLogged];
