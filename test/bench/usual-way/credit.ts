/** The usual way to write a credit on Lambda: Powertools' idempotency around a get, an update and a put. */
import { randomUUID } from 'node:crypto';
import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { idempotencyTable, transactionsTable, usersTable } from './names.ts';

const client = new DynamoDBClient({});
const documents = DynamoDBDocumentClient.from(client);

const persistenceStore = new DynamoDBPersistenceLayer({
  tableName: idempotencyTable,
  awsSdkV3Client: client,
});
const config = new IdempotencyConfig({
  eventKeyJmesPath: '[pathParameters.user_id, powertools_json(body).idempotency_key]',
  // Refuses a request that repeats an idempotency key with another amount.
  payloadValidationJmesPath: 'powertools_json(body).amount',
  throwOnNoIdempotencyKey: true,
  expiresAfterSeconds: 24 * 3600,
});

const answer = (statusCode: number, body: object): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** If the function crashes, the idempotency key becomes free after the function's timeout. */
const creditOnce = makeIdempotent(
  async ({ pathParameters, body }: APIGatewayProxyEvent, _context: Context) => {
    const { user_id } = pathParameters as { user_id: string };
    const { amount, description = '', idempotency_key } = JSON.parse(body!);
    const Key = { user_id };
    const { Item: user } = await documents.send(new GetCommand({ TableName: usersTable, Key }));
    if (!user) return answer(404, { message: 'no such user' });
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: usersTable,
        Key,
        UpdateExpression: 'SET tickets = tickets + :amount',
        ExpressionAttributeValues: { ':amount': amount },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    const transaction = {
      user_id,
      transaction_id: randomUUID(),
      amount,
      balance_after: Attributes!.tickets,
      description,
      idempotency_key,
      date_created: new Date().toISOString(),
    };
    await documents.send(new PutCommand({ TableName: transactionsTable, Item: transaction }));
    const { transaction_id, balance_after } = transaction;
    return answer(200, { user_id, transaction_id, new_ticket_balance: balance_after });
  },
  { persistenceStore, config },
);

export async function handler(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> {
  try {
    return await creditOnce(event, context);
  } catch (error) {
    if (error instanceof IdempotencyAlreadyInProgressError) return answer(409, { message: 'in progress' });
    if (error instanceof IdempotencyValidationError) return answer(422, { message: 'another amount' });
    return answer(500, { message: 'internal error' });
  }
}
