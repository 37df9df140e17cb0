import { type ComponentChildren, toChildArray, type VNode } from 'preact';
import { expect, test } from 'vitest';
import { CashChart, type Hour, PlaysChart } from '../../../../infra/operate/console/page/charts.tsx';

type Element = { type: string; props: Record<string, unknown> };

/** Returns all SVG and HTML elements that a component without hooks renders. */
const elementsOf = (children: ComponentChildren): Element[] =>
  toChildArray(children).flatMap((child) => {
    if (typeof child !== 'object') return [];
    const { type, props } = child as VNode<Record<string, unknown>>;
    if (typeof type === 'function') return elementsOf((type as (own: object) => VNode)(props));
    return [{ type, props }, ...elementsOf(props.children as ComponentChildren)];
  });

/** Returns the least and the greatest height of what a chart shows: 0 is its lowest grid line, and 1 its highest. */
function heightsIn(chart: VNode) {
  const elements = elementsOf(chart);
  const grid = elements.filter(({ props }) => props.class === 'grid').map(({ props }) => Number(props.y1));
  const [top, bottom] = [Math.min(...grid), Math.max(...grid)];
  const shown = elements.filter(({ props }) => props.class !== 'grid');
  const drawn = shown.flatMap(({ type, props: { y, height, y1, d } }) => {
    if (type === 'rect') return [Number(y), Number(y) + Number(height)];
    if (type === 'line') return [Number(y1)];
    if (type === 'path') return [...String(d).matchAll(/,([^LZ]+)/g)].map(([, at]) => Number(at));
    return [];
  });
  const heights = drawn.map((at) => (bottom - at) / (bottom - top));
  return { least: Math.min(...heights), greatest: Math.max(...heights) };
}

/** Expects a chart to stay in its frame and, unless it `isEmpty`, to use more than half of its height. */
function expectInFrame(chart: VNode, isEmpty = false) {
  const { least, greatest } = heightsIn(chart);
  expect(least).toBeCloseTo(0);
  expect(greatest).toBeGreaterThan(isEmpty ? -0.01 : 0.5);
  expect(greatest).toBeLessThan(1.001);
}
const hours = Array.from(
  { length: 24 },
  (_, hour): Hour => ({
    from: new Date(Date.UTC(2026, 2, 4, 5 + hour)).toISOString(),
    regular: 7 * hour,
    amoe: 900 - hour,
    cash_usd: 10,
  }),
);

test.each([undefined, 0, 120, 240, 1000])('the cash of a day with limit %s is in the frame', (limitUsd) => {
  for (const until of [0, Date.parse(hours[12]!.from), Number.POSITIVE_INFINITY])
    expectInFrame(CashChart({ hours, limitUsd, until }), !limitUsd && until === 0);
});

test('the plays of a day are in the frame', () => {
  expectInFrame(PlaysChart({ hours }));
});
