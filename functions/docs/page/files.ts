import type { HtmlAnswer } from '../../../shared/api/endpoint.ts';
import css from './docs.css?text';
import script from './reference/main.ts?text';
import referenceCss from './reference/reference.css?text';

/** Answers with a file that browsers may cache for an hour. */
export const fileOf = (type: string, text: string): HtmlAnswer => ({
  status: 200,
  html: text,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
});

const files: Record<string, [type: string, text: string]> = {
  'docs.css': ['text/css', css],
  'reference.css': ['text/css', referenceCss],
  'reference.js': ['text/javascript', script],
};

/** Returns the file with this name, or undefined. */
export const fileNamed = (name: string): HtmlAnswer | undefined =>
  Object.hasOwn(files, name) ? fileOf(...files[name]!) : undefined;
