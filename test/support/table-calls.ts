import type { AwsReply } from '../../infra/develop/local/aws/answer.ts';
import { dynamodb, scheduler, sqs } from '../../shared/aws.ts';

/** Answers a call of an operation of DynamoDB with a JSON body. */
export type AnswerTableCall = (operation: string, body: string) => Promise<AwsReply>;

type Request = { port?: number; headers: Record<string, string>; body: Uint8Array };
type Handler = { handle: (request: Request, options: unknown) => Promise<{ response: object }> };

/** Middleware of the AWS SDK to remove, because the local stage ignores the headers that it adds. */
const removedMiddleware = [
  'httpSigningMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
];

const utf8 = new TextDecoder();

/**
 * Makes this process's DynamoDB client pass calls to `answer`, because signed HTTP requests need many times the CPU.
 * The other AWS clients send unsigned HTTP requests.
 */
export function answerTableCalls(endpoint: string, answer: AnswerTableCall): void {
  for (const { middlewareStack } of [dynamodb(), sqs(), scheduler()]) {
    for (const name of removedMiddleware) middlewareStack.remove(name);
  }
  const handler = dynamodb().config.requestHandler as unknown as Handler;
  const handle = handler.handle.bind(handler);
  const { port } = new URL(endpoint);
  // Sends other requests unchanged over HTTP: those that tests redirect to another port, and those to KMS, which use
  // the same handler.
  handler.handle = async (request, options) => {
    if (String(request.port) !== port) return handle(request, options);
    const [, operation = ''] = request.headers['x-amz-target']!.split('.');
    const { status, headers, body } = await answer(operation, utf8.decode(request.body));
    // The table has its own clock, like DynamoDB: tests that change the time of `Date` don't change it.
    const date = new Date(performance.timeOrigin + performance.now()).toUTCString();
    return { response: { statusCode: status, headers: { ...headers, date }, body: Buffer.from(body) } };
  };
}
