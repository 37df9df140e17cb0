import type { OpenapiDocument } from './document.ts';
import { errorExplanations } from './errors.ts';
import type { Guide } from './guides.ts';
import { htmlOf, textOf } from './markdown.ts';

export type SearchTarget = {
  title: string;
  in: string;
  /** Relative to the documentation's URL. */
  href: string;
  text: string;
  names?: string[];
};

function placesOf({ page, title, markdown }: Guide): SearchTarget[] {
  return htmlOf(markdown)
    .split(/(?=<h[12] id=")/)
    .flatMap((section) => {
      const [, level, id, heading = ''] = /^<h([12]) id="([^"]+)">(.*?)<\/h\1>/.exec(section) ?? [];
      if (!id) return [];
      const place = level === '1' ? '' : `#${id}`;
      return { title: textOf(heading), in: title, href: `?page=${page}${place}`, text: textOf(section) };
    });
}

const errors = Object.entries(errorExplanations).map(([code, texts]) => ({
  title: code,
  in: 'Errors and limits',
  href: `?page=errors#${code}`,
  text: texts.join(' '),
}));

export function searchTargets(pages: Guide[], { paths, webhooks }: OpenapiDocument): SearchTarget[] {
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: operation.summary,
      in: 'API reference',
      // Swagger UI lists the webhook events in a separate section with the name `webhooks`.
      href: `?page=reference#/${path in webhooks ? 'webhooks' : operation.tags[0]}/${operation.operationId}`,
      text: `${method.toUpperCase()} ${path} ${operation['x-client-method'] ?? ''} ${operation.description}`,
      names: [path, operation['x-client-method'] ?? operation.operationId],
    })),
  );
  return [...errors, ...pages.flatMap(placesOf), ...operations];
}
