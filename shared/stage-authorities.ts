/** Reads the stage's timestamp authorities. `shared/timestamps/`, which few functions bundle, checks their tokens. */
import * as z from 'zod/mini';
import { optionalVariable } from './environment.ts';

/** A timestamp authority (RFC 3161). `root` is the hex SHA-256 of a certificate to which its tokens lead. */
export type TimestampAuthority = { url: string; root: string };

// A function instead of a constant, so that bundlers can remove the schema from Lambda functions that do not use it.
const schema = () => z.array(z.object({ url: z.url(), root: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }));

/** Throws if `TIMESTAMP_AUTHORITIES` is malformed. */
export const readStageAuthorities = (): TimestampAuthority[] =>
  schema().parse(JSON.parse(optionalVariable('TIMESTAMP_AUTHORITIES') ?? '[]'));
