import { createHmac, timingSafeEqual } from 'node:crypto';
import { getItem, type Item } from '../table/client.ts';
import { organizationKey } from '../table/keys.ts';
import { type Game, games, type Lang, langs } from '../vocabulary.ts';

export type Preview = { organizationId: string; game: Game; lang: Lang };

export const previewsOf = (organizationId: string): Preview[] =>
  games.flatMap((game) => langs.map((lang) => ({ organizationId, game, lang })));

const tokenForm = /^(preview\.([a-z]+)\.([a-z]+)\.(org_[0-9A-Z]{26}))\.([A-Za-z0-9_-]{22})$/;

export function previewToken({ organizationId, game, lang }: Preview, secret: string): string {
  // Tokens of play URLs contain no dots, so nobody can play a preview's URL.
  const name = `preview.${game}.${lang}.${organizationId}`;
  return `${name}.${macOf(name, secret)}`;
}

const macOf = (name: string, secret: string) =>
  createHmac('sha256', secret).update(name).digest().subarray(0, 16).toString('base64url');

export async function readPreview(token: string): Promise<(Preview & { organization: Item }) | undefined> {
  const [, name = '', typedGame, typedLang, organizationId = '', mac = ''] = tokenForm.exec(token) ?? [];
  const game = games.find((one) => one === typedGame);
  const lang = langs.find((one) => one === typedLang);
  if (!game || !lang) return undefined;
  const organization = await getItem(organizationKey(organizationId));
  if (!organization) return undefined;
  const expected = macOf(name, String(organization.token_secret));
  return timingSafeEqual(Buffer.from(mac), Buffer.from(expected))
    ? { organizationId, game, lang, organization }
    : undefined;
}
