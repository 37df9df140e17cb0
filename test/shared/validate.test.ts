import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/routes.ts';
import { validate, withNumbersParsed } from '../../shared/api/validate.ts';
import { Refusal } from '../../shared/refusals.ts';

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(0, -0, -1, 0.5, 1e308, -1e308, 2 ** 53, '', '5', '\ud800', null, true, [], {}, 'truck'),
);
const oddNames = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'x');
const message =
  /^([\w.]+: [A-Z][\w ',.:/#-]+|(ticket|entry) amount must be positive|limit must be greater than or equal to 0)$/;

/** Returns the message of a refusal. Rethrows other errors, to which the API would respond 500. */
function refusalOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect([400, 422]).toContain(error.status);
    expect(error.code).toBe('validation_failed');
    return error.message;
  }
}

/** Generates objects with some of the schema's fields and some unknown fields. All fields have arbitrary values. */
const inputs = (fields: string[], values: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('x', ...fields), oddNames), values), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

const withBody = allRoutes.flatMap((route) => {
  const { body } = route.schemas();
  return body ? [{ name: route.name, body }] : [];
});
test.each(withBody)(
  'any body of $name is accepted, or refused with a message of the contract',
  ({ body }) => {
    fc.assert(
      fc.property(inputs(Object.keys(body.shape), odd), (input) => {
        const refusal = refusalOf(() => validate(body, input));
        if (refusal !== undefined) expect(refusal).toMatch(message);
      }),
      { numRuns: 300 },
    );
  },
);

const withQuery = allRoutes.flatMap((route) => {
  const { query } = route.schemas();
  return query ? [{ name: route.name, query }] : [];
});
test.each(withQuery)(
  'any query of $name is accepted, or refused with a message of the contract',
  ({ query }) => {
    const spelled = fc.oneof(
      fc.string(),
      fc.constantFrom('', '-1', '1e3', '0x10', '1.5', '9'.repeat(25), '9'.repeat(18)),
    );
    fc.assert(
      fc.property(inputs(Object.keys(query.shape), spelled), (input) => {
        const refusal = refusalOf(() => validate(query, withNumbersParsed(query, input)));
        if (refusal !== undefined) expect(refusal).toMatch(message);
      }),
      { numRuns: 300 },
    );
  },
);
