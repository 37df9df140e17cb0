import { expect, test } from 'vitest';
import { valueText } from '../../../../infra/operate/console/page/format.ts';

test('the console shows a kind of prize in words, and the name of a drawing’s prize as it is', () => {
  const shown = ['prize_gift_card', 'A Ford F-150'].map((prize) => valueText('prize', prize));
  expect(shown).toEqual(['Gift card', 'A Ford F-150']);
});
