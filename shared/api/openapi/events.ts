import { type EventType, eventTypes } from '../../vocabulary.ts';
import { eventSchema } from '../event-schemas.ts';
import { exampleOf, type JsonSchema } from './examples.ts';
import { schemaRef } from './json-schemas.ts';
import { typeName } from './names.ts';

const nameOf = (type: EventType) => `${typeName(type)}Event`;

export const eventSchemas = () =>
  Object.fromEntries(eventTypes.map((type) => [nameOf(type), eventSchema(type)]));

/** The schema of events whose type a later version adds. Without it, a generated client would fail at such an event. */
const otherEvent: JsonSchema = {
  description: 'An event of a type that was added later. Ignore types that you do not know',
  type: 'object',
  properties: {
    id: schemaRef('EventId'),
    type: { type: 'string', not: { enum: eventTypes } },
    timestamp: schemaRef('Instant'),
    sequence: { type: 'number' },
    data: { type: 'object' },
  },
  required: ['id', 'type', 'timestamp', 'sequence', 'data'],
};

export function withOtherEvent(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const { EventsListReply } = schemas;
  EventsListReply?.properties?.events?.items?.anyOf?.push(schemaRef('OtherEvent'));
  return { ...schemas, OtherEvent: otherEvent };
}

const parameters = [
  ['webhook-id', 'The id of the event, the same in every delivery'],
  ['webhook-timestamp', 'The time of this attempt in epoch seconds'],
  [
    'webhook-signature',
    'Each signature is `v1,` and a base64 HMAC-SHA-256. For 24 hours after a change of the secret there ' +
      'are two, separated by a space',
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
  '410': { description: 'Rejected: this event is not sent to this webhook again' },
  default: {
    description: 'Not received: the delivery is retried. `Retry-After` extends the wait, up to a day',
  },
};

export const webhookOperations = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: callOf(type, schemas) }]));

const descriptions: Record<EventType, string> = {
  balance_updated: 'The host, a game or an operator changed a balance of tickets or entries.',
  outcome:
    'A play or a free spin has an outcome, with a prize of any kind. The service credits tickets and entries itself.',
  cash_won: 'An outcome won cash. Repeats the prize of its `outcome` event, with the same `sequence`.',
  prize_won:
    'An outcome won a prize other than tickets and cash. Repeats the prize of its `outcome` event, with the same ' +
    '`sequence`. The service has already credited an entry: do not credit it again.',
  drawing_closed:
    'A drawing has used up its entries. Publish or keep `root`: with it, anybody can prove that the list of entrants ' +
    'did not change afterwards.',
  drawing_won:
    'A user was drawn, or moved up because another winner forfeited. Tell the user to claim the prize by `claim_by`.',
  prize_updated: 'You or an operator recorded a step of a prize: held, delivered, forfeited, or open again.',
};

const callOf = (type: EventType, schemas: Record<string, JsonSchema>) => {
  const schema = schemaRef(nameOf(type));
  return {
    operationId: `receive${typeName(type)}`,
    summary: `Receive the event ${type}`,
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
