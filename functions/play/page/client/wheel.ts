import { type DrawnPrize, eachFrame, reducedMotion, type Scene } from './motion.ts';

const cruise = 620;
const fullTurn = 360;
/** The wheel's deceleration, in degrees/s², is `drag` (1/s) times the wheel's speed plus the constant `friction`. */
const drag = 0.42;
const friction = 46;

/** Returns the seconds and degrees until a wheel at `speed` (degrees/s) stops by the friction `steady` (degrees/s²). */
export const coast = (speed: number, steady: number) => {
  const seconds = Math.log(1 + (drag * speed) / steady) / drag;
  return { seconds, degrees: speed / drag - (steady / drag) * seconds };
};

/** Returns the constant friction with which a wheel at `speed` stops after exactly `degrees`. */
export const frictionToStopAfter = (speed: number, degrees: number) => {
  let low = 0.01;
  let high = 4000;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (coast(speed, middle).degrees > degrees) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** Calls `tick` at every peg that passes the flapper. */
export const wheelScene = (root: Element, tick: () => void): Scene => {
  const disc = root.querySelector<HTMLElement>('#disc')!;
  const flap = root.querySelector<HTMLElement>('#flap')!;
  const wedges = [...root.querySelectorAll<SVGGElement>('[data-prize]')];
  const step = fullTurn / Math.max(1, wedges.length);
  let angle = 0;
  let speed = 0;
  let spinning = false;
  let bend = 0;
  let bendSpeed = 0;
  let lastSincePeg = 0;

  // Each peg pushes the flapper aside. After the peg, a damped spring brings the flapper back.
  const drawFlap = (seconds: number) => {
    const sincePeg = (((angle / step + 0.5) % 1) + 1) % 1;
    if (sincePeg < lastSincePeg) tick();
    lastSincePeg = sincePeg;
    const push = speed > 0 && sincePeg > 0.72 ? ((sincePeg - 0.72) / 0.28) * -26 : 0;
    bendSpeed += (-900 * bend - 26 * bendSpeed) * seconds;
    bend = Math.min(bend + bendSpeed * seconds, push);
    if (bend < -30) bend = -30;
    flap.style.transform = `rotate(${bend.toFixed(2)}deg)`;
  };

  const draw = () => {
    disc.style.transform = `rotate(${(angle % fullTurn).toFixed(3)}deg)`;
  };

  // Shows the won prize on a wedge, in case the wheel lacks the prize because prizes changed after rendering.
  const repaint = (wedge: Element, { kind, text }: DrawnPrize) => {
    wedge.querySelector('use')!.setAttribute('href', `#i-${kind}`);
    wedge.querySelector('text')!.textContent = text;
  };

  const pick = (prize: DrawnPrize) => {
    const own = wedges.filter((wedge) => wedge.dataset.prize === prize.id);
    const fitting = own.length > 0 ? own : wedges;
    const target = fitting[Math.floor(Math.random() * fitting.length)];
    if (target && own.length === 0) repaint(target, prize);
    return target;
  };

  const highlight = (won?: Element) => {
    for (const wedge of wedges) wedge.classList.toggle('lost', won !== undefined && wedge !== won);
  };

  return {
    start() {
      spinning = true;
      if (reducedMotion()) return;
      void eachFrame((seconds) => {
        if (!spinning) return false;
        speed += (cruise - speed) * Math.min(1, seconds * 3.2);
        angle += speed * seconds;
        drawFlap(seconds);
        draw();
      });
    },
    async arrive(prize) {
      const target = pick(prize);
      const offset = (Math.random() - 0.5) * step * 0.64;
      const rest = fullTurn - wedges.indexOf(target!) * step + offset;
      // Waits for 90 % of the cruising speed, because a slower wheel could not reach every wedge.
      if (!reducedMotion()) await eachFrame(() => spinning && speed < cruise * 0.9);
      spinning = false;
      if (!reducedMotion()) {
        const from = angle;
        const natural = coast(speed, friction).degrees;
        const turns = Math.round((from + natural - rest) / fullTurn);
        const steady = frictionToStopAfter(speed, rest + turns * fullTurn - from);
        const total = coast(speed, steady).seconds;
        const initial = speed;
        let elapsed = 0;
        await eachFrame((seconds) => {
          elapsed = Math.min(total, elapsed + seconds);
          const reach = initial + steady / drag;
          angle = from + (reach / drag) * (1 - Math.exp(-drag * elapsed)) - (steady / drag) * elapsed;
          speed = reach * Math.exp(-drag * elapsed) - steady / drag;
          drawFlap(seconds);
          draw();
          return elapsed < total;
        });
      }
      angle = rest;
      draw();
      speed = 0;
      bend = 0;
      flap.style.transform = '';
      highlight(target);
    },
    reset() {
      spinning = false;
      speed = 0;
      highlight();
    },
  };
};
