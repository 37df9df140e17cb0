/** Simulated hosts read and change the settings of their play pages, and open previews. */
import type { Random } from '../../support/random.ts';
import { type Host, pickOrUndefined, sendRequest } from './host.ts';

export async function readPage(host: Host, random: Random): Promise<void> {
  const answer = await sendRequest(host, { endpoint: 'page/get' }, random);
  const preview = pickOrUndefined<{ url: string }>(random, answer?.body.preview_urls ?? []);
  if (!preview) return;
  await sendRequest(host, { endpoint: 'play/open', path: { token: preview.url.split('/').at(-1)! } }, random);
}

/**
 * Changes some settings of the host's play pages. All combinations of the colors below have enough contrast, so the API
 * accepts them.
 */
export async function setPage(host: Host, random: Random): Promise<void> {
  const settings = {
    return_url: random.pick(['', 'https://app.example.com/wallet', 'myapp://wallet']),
    frame_origins: random.pick([
      [],
      ['https://app.example.com'],
      ['HTTPS://App.Example.com/', 'capacitor://localhost'],
    ]),
    rules_url_en: random.pick(['', 'https://example.com/rules']),
    brand_name: random.pick(['Golondrina', 'Envíos Sol']),
    brand_accent: random.pick(['', '#F7B733']),
    brand_background: random.pick(['', '#08393f']),
  };
  const chosen = Object.entries(settings).filter(() => random.chance(0.5));
  await sendRequest(host, { endpoint: 'page/update', body: Object.fromEntries(chosen) }, random);
}
