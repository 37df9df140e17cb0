/** Rules that no secret is stored or logged in plain text. */
import { exchangesOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { tokenIn } from './play-urls.ts';

const secretText = /[A-Za-z0-9_-]{43,}/g;

/** Calls `visit` with every string in a value, except the names of fields. */
function eachText(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) eachText(part, visit);
}

/** Returns all secrets of API keys that commands have printed, and all tokens of play URLs in responses. */
function knownTokens(world: World): Set<string> {
  const tokens = new Set<string>();
  for (const { printed } of world.journal.operatorCommands)
    eachText(printed, (text) => {
      if (/^inc_[a-z]+_/.test(text)) tokens.add(text.slice(-43));
    });
  for (const exchange of exchangesOf(world, 'games/play', 'debug/play').filter(succeeded))
    tokens.add(tokenIn(exchange));
  return tokens;
}

/** Returns the webhook secrets of at least 16 characters. Shorter ones could occur in other texts by chance. */
const webhookSecrets = (world: World) =>
  exchangesOf(world, 'webhooks/create', 'webhooks/update')
    .map(({ body }) => body?.secret_key)
    .filter((secret) => typeof secret === 'string' && secret.length >= 16);

/** No item contains an API key's secret or a play URL's token. */
const noPlainSecrets: EndRule = {
  rule: 'no secret is stored in plain text',
  check(world, report) {
    const tokens = knownTokens(world);
    for (const item of world.items)
      eachText(item, (text) => {
        if (text.length >= 43 && hasToken(text, tokens)) report(`${item.pk} ${item.sk} holds a token`);
      });
    // Items of webhooks and invocations contain no webhook's secret, unless the host invoked the webhook with it.
    const secrets = [...new Set<string>(webhookSecrets(world))];
    const invocations = world.of('invocation').map(({ payload: _, ...item }) => item);
    for (const item of [...world.of('webhook'), ...world.of('webhooks'), ...invocations])
      eachText(item, (text) => {
        if (secrets.some((secret) => text.includes(secret))) report(`${item.pk} ${item.sk} holds a secret`);
      });
  },
};

/** No log line contains an API key's secret, a play URL's token or a webhook's secret. */
const noLoggedSecrets: EndRule = {
  rule: 'no secret is logged',
  check(world, report) {
    const tokens = knownTokens(world);
    const secrets = [...new Set<string>(webhookSecrets(world))];
    for (const line of world.journal.logs)
      if (hasToken(line, tokens) || secrets.some((secret) => line.includes(secret))) report(line);
  },
};

/**
 * Returns whether a text contains one of the tokens, which have 43 characters. Also finds tokens inside
 * longer words.
 */
function hasToken(text: string, tokens: Set<string>): boolean {
  for (const [found] of text.matchAll(secretText)) {
    // Skips hexadecimal strings such as seeds and commitments, to save time. No token is hexadecimal.
    if (!/[^0-9a-f]/.test(found)) continue;
    for (let start = 0; start + 43 <= found.length; start++)
      if (tokens.has(found.slice(start, start + 43))) return true;
  }
  return false;
}

export const secretRules = [noPlainSecrets, noLoggedSecrets];
