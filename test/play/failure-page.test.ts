import { describe, expect, test } from 'vitest';
import { failurePage } from '../../shared/api/failure-page.ts';
import { langs } from '../../shared/vocabulary.ts';

describe.each(['failed', 'unknown'] as const)('the page of a play URL that is %s', (failure) => {
  test.each(langs)('has a title, a text and at most one link in %s alone', (lang) => {
    const { html } = failurePage(failure, lang);
    const [, title] = /<title>([^<]+)<\/title>/.exec(html)!;
    const link = failure === 'failed' ? '<a href="">[A-Z][^<]+</a>' : '';
    expect(html).toMatch(
      new RegExp(`<section lang="${lang}"><h1>${title}</h1><p>[^<]{60,}</p>${link}</section></main>`),
    );
    expect(html).toContain(`<html lang="${lang}">`);
    expect(html).not.toContain('undefined');
  });

  test('has all languages if the player’s is unknown', () => {
    const { html } = failurePage(failure);
    expect([...html.matchAll(/<section lang="(\w+)">/g)].map(([, lang]) => lang)).toEqual(langs);
    const headings = [...html.matchAll(/<h1>([^<]+)<\/h1>/g)].map(([, heading]) => heading);
    expect(html).toContain(`<title>${headings.join(' · ')}</title>`);
  });
});
