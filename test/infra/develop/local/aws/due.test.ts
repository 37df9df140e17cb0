import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDueList } from '../../../../../infra/develop/local/aws/due.ts';

test('items come in the order of their times, and of insertion for equal times', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.nat(9), (times, now) => {
      const due = createDueList<number>();
      for (const [index, at] of times.entries()) due.add(at, index);
      const expected = [...times.entries()].sort(([, a], [, b]) => a - b);
      const isDue = expected.filter(([, at]) => at <= now).map(([index]) => index);
      expect(due.next()).toBe(Math.min(...times));
      expect(due.first()).toBe(expected[0]?.[0]);
      expect(isDue.map(() => due.take(now))).toEqual(isDue);
      expect(due.take(now)).toBeUndefined();
    }),
  );
});
