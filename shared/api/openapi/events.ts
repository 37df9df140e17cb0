import { type DeliverableEventType, deliverableEventTypes } from '../../vocabulary.ts';
import { eventSchema } from '../event-schemas.ts';
import { exampleOf, type JsonSchema } from './examples.ts';
import { refTo } from './json-schemas.ts';
import { typeName } from './names.ts';

const nameOf = (type: DeliverableEventType) => `${typeName(type)}Event`;

/** Returns the payload schemas of all events by their names in the document. */
export const eventSchemas = () =>
  Object.fromEntries(deliverableEventTypes.map((type) => [nameOf(type), eventSchema(type)]));

const parameters = [
  ['webhook-id', 'The id of the event: the same in each delivery of it'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970'],
  [
    'webhook-signature',
    '`v1,` and the base64 of the HMAC; for 24 hours after a change of the secret, two of them',
  ],
].map(([name = '', description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example: exampleOf({}, {}, name),
}));

const responses = {
  '2XX': { description: 'Received' },
  '410': { description: 'Not wanted: this event is not sent to this webhook again' },
  default: {
    description: 'Not received: it is tried again; `Retry-After` makes the wait longer, up to a day',
  },
};

/** Returns the `webhooks` section: the calls that deliver events, signed as Standard Webhooks 1.0. */
export const webhookOperations = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(deliverableEventTypes.map((type) => [type, { post: callOf(type, schemas) }]));

/** The description of each event. */
const descriptions: Record<DeliverableEventType, string> = {
  balance_updated: 'A balance of tickets or entries was changed: by the host, by a game or by an operator.',
  outcome: 'A play or a free spin has an outcome.',
  cash_won: 'An outcome won cash. Its `outcome` event tells of it too.',
  prize_won: 'An outcome won what is neither tickets nor cash. Its `outcome` event tells of it too.',
  webhook_disabled: 'Another webhook of the organization was switched off, after five days of failures.',
};

const callOf = (type: DeliverableEventType, schemas: Record<string, JsonSchema>) => {
  const schema = refTo(nameOf(type));
  return {
    operationId: `told${typeName(type)}`,
    summary: `A webhook is told of an event: ${type}`,
    description: descriptions[type],

    tags: ['events'],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(schema, schemas) } },
    },
    responses,
  };
};
