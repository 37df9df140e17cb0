import { moveTo } from './motion.ts';

/** Scrolls layers endlessly: the markup repeats each after 400 SVG units. `layers` has speed factors by id. */
export const scrollingLayers = (root: Element, layers: Record<string, number>) => {
  const elements = Object.entries(layers).map(([id, depth]) => ({
    element: root.querySelector(`#${id}`),
    depth,
  }));
  let travelled = 0;
  return (units: number) => {
    travelled += units;
    for (const { element, depth } of elements) moveTo(element, -((travelled * depth) % 400), 0);
  };
};

type Puff = { element: SVGCircleElement; x: number; y: number; age: number };

export const dustPuffs = (group: Element | null) => {
  let alive: Puff[] = [];
  const add = (x: number, y: number) => {
    if (!group || alive.length > 24) return;
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    group.append(element);
    alive.push({ element, x, y, age: 0 });
  };
  const draw = (seconds: number, speed: number) => {
    for (const puff of alive) {
      puff.age += seconds;
      puff.x -= (30 + speed * 0.5) * seconds;
      puff.y -= 14 * seconds;
      puff.element.setAttribute('cx', puff.x.toFixed(1));
      puff.element.setAttribute('cy', puff.y.toFixed(1));
      puff.element.setAttribute('r', (3 + puff.age * 16).toFixed(1));
      puff.element.setAttribute('opacity', Math.max(0, 0.5 - puff.age * 0.6).toFixed(2));
      if (puff.age > 0.85) puff.element.remove();
    }
    alive = alive.filter(({ age }) => age <= 0.85);
  };
  return { add, draw };
};
