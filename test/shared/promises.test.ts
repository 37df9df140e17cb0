import { expect, test } from 'vitest';
import { promiseCache } from '../../shared/promises.ts';

test('a known result is not requested again, up to the number of kept results', async () => {
  const remembered = promiseCache<string>(2);
  const asked: string[] = [];
  const ask = (name: string) =>
    remembered(name, async () => {
      asked.push(name);
      return name;
    });
  for (const name of ['a', 'b', 'b', 'a', 'c', 'b', 'a']) expect(await ask(name)).toBe(name);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('a late failure of an evicted request does not remove the newer result of its name', async () => {
  const remembered = promiseCache<string>(1);
  const late = Promise.withResolvers<string>();
  const evicted = remembered('a', () => late.promise);
  await remembered('b', async () => 'b');
  expect(await remembered('a', async () => 'newer')).toBe('newer');
  late.reject(new Error('late'));
  await expect(evicted).rejects.toThrow();
  expect(await remembered('a', async () => 'again')).toBe('newer');
});

test('a failed request does not fail the callers that joined it', async () => {
  const remembered = promiseCache<string>(2);
  const first = remembered('a', () => Promise.reject(new Error('the first')));
  const second = remembered('a', async () => 'the second');
  const third = remembered('a', async () => 'the third');
  await expect(first).rejects.toThrow('the first');
  expect(await Promise.all([second, third])).toEqual(['the second', 'the second']);
  await expect(remembered('a', async () => 'the fourth')).resolves.toBe('the second');
});
