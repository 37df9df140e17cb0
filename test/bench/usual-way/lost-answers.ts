/** Sends credits that fail after a write: the response is lost, or the instance is killed. Retries each like a host. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type LineProcess, startProcess } from '../../support/line-process.ts';
import { scaled } from '../row.ts';
import { startWire, type Wire } from '../wire.ts';
import { amount, creditEvent } from './requests.ts';
import type { Side, State } from './sides.ts';

/** A fault after one write of a credit. `write` is the write's number, from 1. */
export type Fault = { kind: 'answer lost' | 'instance dies'; write: number };
/** Result of a fault. `answers` has the status of each attempt, or `none` if the instance was killed. */
export type FaultResult = { side: string; fault: Fault; operation: string; answers: string[]; state: State };

/** Function timeout in milliseconds. It is short, because after a crash, retries get 409 until the timeout. */
const timeoutMs = 1500;
const maxTries = 8;
const kinds = ['answer lost', 'instance dies'] as const;
/** More writes than a credit of any implementation makes. */
const maxWrites = 10;
const pauseMs = 500;

/** Injects each kind of fault after each write of a credit, each into a new credit. The smallest size has one fault. */
export async function lostAnswers(side: Side, size: number): Promise<FaultResult[]> {
  const wire = await startWire(process.env.AWS_ENDPOINT_URL_DYNAMODB!);
  try {
    const all: FaultResult[] = [];
    for (const kind of kinds.slice(0, scaled(kinds.length, size))) {
      for (let write = 1; write <= scaled(maxWrites, size); write++) {
        const result = await creditWithFault(side, wire, { kind, write });
        if (!result) break;
        all.push(result);
      }
    }
    return all;
  } finally {
    await wire.close();
  }
}

/**
 * Sends a credit with a fault until success, at most `maxTries` times. Returns undefined if the credit makes fewer
 * than `fault.write` writes.
 */
async function creditWithFault(side: Side, wire: Wire, fault: Fault): Promise<FaultResult | undefined> {
  const userId = await side.makeUser();
  const event = JSON.stringify(creditEvent(userId, randomUUID()));
  const start = () =>
    startProcess('bench/usual-way/instance.ts', [side.file, String(timeoutMs)], {
      AWS_ENDPOINT_URL_DYNAMODB: wire.url,
    });
  let instance = start();
  let [writes, operation] = [0, ''];
  wire.loses = (call) => {
    if (/^(Get|Query)/.test(call.operation) || ++writes !== fault.write) return false;
    operation = call.operation;
    if (fault.kind === 'instance dies') instance.kill();
    return true;
  };
  const answers: string[] = [];
  while (answers.length < maxTries && answers.at(-1) !== '200') {
    if (answers.length > 1) await setTimeout(pauseMs);
    const answer = await answerOf(instance, event);
    if (answer === 'none') instance = start();
    answers.push(answer);
  }
  instance.end();
  wire.loses = () => false;
  return operation
    ? { side: side.name, fault, operation, answers, state: await side.stateOf(userId) }
    : undefined;
}

const answerOf = (instance: LineProcess, event: string) =>
  instance.ask(event).then(
    (line) => String(JSON.parse(line).statusCode),
    () => 'none',
  );

/**
 * Returns a verdict as text: whether the balance is right after `credits` credits and equals the sum of the records.
 */
export function verdictOf({ balance, sum, records }: State, credits = 1): string {
  const right = credits * amount;
  const verdict = balance === right ? 'right' : balance > right ? 'doubled' : 'lost';
  const history = sum === balance ? '' : `, history says ${sum}`;
  return `${verdict}: ${balance} for ${right}, ${records} record${records === 1 ? '' : 's'}${history}`;
}
