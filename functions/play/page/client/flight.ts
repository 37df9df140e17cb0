import type { Texts } from '../texts/en.ts';
import { splitFlapBoard } from './board.ts';
import { animate, eachFrame, easeInOut, interpolate, moveTo, reducedMotion, type Scene } from './motion.ts';
import { dustPuffs, scrollingLayers } from './road.ts';

const cruise = 520;
const climb = 240;

export const flightScene = (root: Element, board: Texts['client']['board']): Scene => {
  const find = (id: string) => root.querySelector(`#${id}`);
  const [plane, gear, ground, shade, glow] = ['plane', 'gear', 'ground', 'shade', 'glow'].map(find);
  const sky = scrollingLayers(root, { high: 0.06, low: 0.35 });
  const land = scrollingLayers(root, { shore: 0.18, dashes: 1 });
  const smoke = dustPuffs(find('dust'));
  const flip = splitFlapBoard(find('board'));
  let speed = 0;
  let height = 0;
  let nose = 0;
  let time = 0;
  let flying = false;

  const draw = (seconds: number) => {
    time += seconds;
    sky(Math.max(24, speed) * seconds);
    land(speed * seconds);
    const aloft = Math.min(1, height / climb);
    moveTo(ground!, 0, height);
    const bob = Math.sin(time * 1.9) * 5 * aloft;
    const shake = Math.sin(time * 40) * 0.6 * (speed / cruise) * (1 - aloft);
    moveTo(
      plane!,
      0,
      -46 * aloft + bob + shake,
      ` rotate(${(-nose + Math.sin(time * 1.3) * 1.1 * aloft).toFixed(2)} 190 296)`,
    );
    moveTo(gear!, 0, -52 * Math.max(0, Math.min(1, (aloft - 0.25) * 3)));
    shade?.setAttribute('opacity', String(Math.max(0, 0.45 - aloft * 1.5)));
    moveTo(shade!, 0, height);
    smoke.draw(seconds, speed);
  };

  const approach = (from: number) =>
    animate(2.2, (share, seconds) => {
      height = interpolate(from, 0, easeInOut(share));
      nose = Math.sin(share * Math.PI) * 3 + share * 5;
      speed = interpolate(cruise, cruise * 0.72, share);
      draw(seconds);
    });

  const touchDown = () => {
    for (const x of [160, 172, 184, 196]) smoke.add(x, 302);
    return eachFrame((seconds) => {
      const isNoseUp = nose > 0;
      nose = Math.max(0, nose - 9 * seconds);
      speed = Math.max(0, speed - 235 * seconds);
      if (isNoseUp && nose === 0) smoke.add(280, 304);
      draw(seconds);
      return speed > 0;
    });
  };

  const show = (share: number) => glow?.setAttribute('opacity', String(share));

  if (!reducedMotion()) {
    void eachFrame((seconds) => {
      if (flying || !root.isConnected || root.getAttribute('data-state') !== 'ready') return false;
      draw(seconds);
    });
  } else draw(0);

  return {
    start() {
      flying = true;
      flip(board.playing);
      if (reducedMotion()) return;
      void eachFrame((seconds) => {
        if (!flying) return false;
        speed += (cruise - speed) * 1.4 * seconds;
        const lift = speed > cruise * 0.6 ? (climb - height) * 1.5 : 0;
        height += lift * seconds;
        nose += (lift / 26 - nose) * Math.min(1, seconds * 5);
        draw(seconds);
      });
    },
    async arrive() {
      if (!reducedMotion()) {
        // Lets the plane climb to 90 % of its cruising height, even if the outcome arrives earlier.
        await eachFrame(() => height < climb * 0.9);
        flying = false;
        await approach(height);
        flip(board.arrived);
        await touchDown();
        await animate(0.6, (share) => show(easeInOut(share)));
      }
      if (flying) flip(board.arrived);
      flying = false;
      show(1);
    },
    reset() {
      flying = false;
      speed = 0;
      height = 0;
      nose = 0;
      flip(board.ready);
      draw(0);
    },
  };
};
