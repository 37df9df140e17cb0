// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for HTTP requests and responses. */
export const api: Bug[] = [
  {
    name: 'undeclared fields leak into answers',
    file: 'shared/api/endpoint.ts',
    from: '...schemas().reply.parse(fields) }',
    to: '...fields }',
  },
  {
    name: 'a next_token is good for another filter',
    file: 'shared/api/page-tokens.ts',
    from: 'canonicalJson([organizationId, route, path, filter])',
    to: 'canonicalJson([organizationId, route, path, Object.keys(filter)])',
  },
  {
    name: 'a next_token is good for another user',
    file: 'shared/api/page-tokens.ts',
    from: 'canonicalJson([organizationId, route, path, filter])',
    to: 'canonicalJson([organizationId, route, Object.keys(path), filter])',
  },
  {
    name: 'a next_token that nobody signed is taken',
    file: 'shared/api/page-tokens.ts',
    from: 'if (!asWritten || !timingSafeEqual(',
    to: 'if (!asWritten && !timingSafeEqual(',
  },
  {
    name: 'a key works beside the name of another organization',
    file: 'shared/api/request.ts',
    from: 'if (named !== organizationId) throw',
    to: 'if (named.length !== organizationId.length) throw',
  },
  {
    name: 'no spins at all can be queued',
    file: 'shared/api/schemas.ts',
    from: 'export const spinsToQueue = integer(1, 1000);',
    to: 'export const spinsToQueue = integer(0, 1000);',
  },
  {
    name: 'a balance can be changed by nothing',
    file: 'shared/api/schemas.ts',
    from: 'minimumStandingAlone(1, ',
    to: 'minimumStandingAlone(0, ',
  },
  {
    name: 'a function that registers webhooks may not decrypt',
    file: 'shared/api/routes/webhooks.ts',
    from: "key: ['Decrypt', 'GenerateDataKey']",
    to: "key: ['GenerateDataKey']",
  },
  {
    name: 'that no page follows is guessed from how long this one is',
    file: 'functions/webhooks/history.ts',
    from: 'const is_all = last === undefined;',
    to: 'const is_all = items.length < limit;',
  },
  {
    name: 'the body of an invocation is written anew',
    file: 'functions/webhooks/invoke.ts',
    from: 'body: bodyText,',
    to: 'body: JSON.stringify(JSON.parse(bodyText)),',
  },
  {
    name: 'callbacks may lead to this machine on every stage',
    file: 'functions/events/send-webhook.ts',
    from: 'post: guardedPost(currentStage()),',
    to: "post: guardedPost(currentStage() && 'local'),",
  },
  {
    name: 'of a batch that could be queued in part, the rest but for its end is lost',
    file: 'functions/events/publish-events.ts',
    from: 'itemIdentifier: inserted[failed]!',
    to: 'itemIdentifier: inserted.at(-1)!',
  },
  {
    name: "an API key's first request says which method its others may have",
    file: 'functions/authorizer.ts',
    from: "const [api, stage] = methodArn.split('/');\n  return `${api}/${stage}/*`;",
    to: "const [api, stage, method] = methodArn.split('/');\n  return `${api}/${stage}/${method}/*`;",
    tests: ['test/api/authorizer.test.ts'],
  },
  {
    name: 'a function that has to end promises that nothing was done',
    file: 'shared/api/endpoint.ts',
    from: 'throw refusals.outcomeUnknown();',
    to: 'throw refusals.unavailable();',
  },
];
