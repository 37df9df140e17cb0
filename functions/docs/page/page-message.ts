import * as z from 'zod/mini';
import * as s from '../../../shared/api/schemas.ts';

const messageOf = (type: string, data: z.ZodMiniObject) =>
  z.object({ source: z.literal('incentives'), version: z.literal(1), type: z.literal(type), data });

export const pageMessageSchema = () =>
  z.toJSONSchema(
    z.union([
      messageOf(
        'ready',
        z.object({ game: s.game, lang: s.lang, playable: z.boolean(), restrictions: z.array(z.string()) }),
      ),
      messageOf('started', z.object({})),
      messageOf('result', z.object({ outcome: s.outcome })),
      messageOf('refused', z.object({ code: z.string() })),
      messageOf('done', z.object({ reason: z.enum(['won', 'refused', 'expired', 'not_found']) })),
      messageOf('resize', z.object({ height: z.number().check(z.minimum(1)) })),
    ]),
    { io: 'input' },
  );
