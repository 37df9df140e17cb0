import type { HtmlAnswer } from '../../../shared/api/endpoint.ts';
import python from '../../../shared/client/incentives.py?text';
import pageListener from '../../../shared/client/page.ts?text';
import script from './client/main.ts?text';
import css from './docs.css?text';
import { pageMessageSchema } from './page-message.ts';
import referenceScript from './reference/main.ts?text';
import referenceCss from './reference/reference.css?text';

export const fileAnswer = (type: string, text: string): HtmlAnswer => ({
  status: 200,
  html: text,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
});

const files: Record<string, [type: string, text: string]> = {
  'docs.css': ['text/css', css],
  'docs.js': ['text/javascript', script],
  'incentives-page.js': ['text/javascript', pageListener],
  'incentives.py': ['text/x-python', python],
  'page-message.json': ['application/schema+json', JSON.stringify(pageMessageSchema())],
  'reference.css': ['text/css', referenceCss],
  'reference.js': ['text/javascript', referenceScript],
};

export const fileNames = Object.keys(files);

export const docsFile = (name: string): HtmlAnswer | undefined =>
  Object.hasOwn(files, name) ? fileAnswer(...files[name]!) : undefined;
