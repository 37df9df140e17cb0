import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { currentStage } from '../environment.ts';
import { faultRefusals, refusals } from '../refusals.ts';
import { debugStages } from '../stage.ts';
import { errorAnswer } from './error-answer.ts';
import { headerOf, requestIdOf } from './request.ts';

/** Pattern of the values that the header `Incentives-Fault` can have. */
export const faultPattern = '^(unavailable|throttled|lost|slow(=([1-9]|1[0-9]|20))?)$';

const values = new RegExp(faultPattern);
const defaultSeconds = '5';

function faultIn(event: APIGatewayProxyEvent): string | undefined {
  if (!debugStages.includes(currentStage())) return undefined;
  const fault = headerOf(event, 'incentives-fault');
  if (fault === undefined || values.test(fault)) return fault;
  throw refusals.invalid(
    "Incentives-Fault: Input should be 'unavailable', 'throttled', 'lost', 'slow' or 'slow=<1 to 20>'",
  );
}

export const losesAnswer = (event: APIGatewayProxyEvent): boolean => faultIn(event) === 'lost';

type Reply = APIGatewayProxyResult;

/** Middleware that makes requests fail as the header asks. Such failures are not logged. */
export const faultMiddleware = {
  before: ({ event }: { event: APIGatewayProxyEvent }): Reply | undefined => {
    const fault = faultIn(event);
    if (fault === 'unavailable') return errorAnswer(faultRefusals.unavailable(), requestIdOf(event));
    if (fault === 'throttled') return errorAnswer(faultRefusals.tooManyRequests(), requestIdOf(event));
    return undefined;
  },
  after: async (request: { event: APIGatewayProxyEvent; response: Reply | null }): Promise<void> => {
    const [fault, seconds = defaultSeconds] = faultIn(request.event)?.split('=') ?? [];
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
    // Never loses a replay: a host that repeats a lost request with the same header gets the result.
    const isReplay = request.response?.headers?.['idempotent-replayed'] !== undefined;
    if (fault === 'lost' && !isReplay)
      request.response = errorAnswer(faultRefusals.outcomeUnknown(), requestIdOf(request.event));
  },
};
