import { animate, eachFrame, easeInOut, moveTo, reducedMotion, type Scene } from './motion.ts';
import { dustPuffs, scrollingLayers } from './road.ts';

const cruise = 430;
const gears = 3;
const secondsPerGear = 0.55;
const wheelRadius = 30;
/** The amount of exhaust while the truck idles, as a fraction of the dust at full speed. */
const idling = 0.14;
const layers = { far: 0.08, near: 0.3, dashes: 1 };

export const truckScene = (root: Element): Scene => {
  const find = (id: string) => root.querySelector(`#${id}`);
  const [body, wheelA, wheelB, lid, glow] = ['body', 'wheel-a', 'wheel-b', 'lid', 'glow'].map(find);
  const scroll = scrollingLayers(root, layers);
  const dust = dustPuffs(find('dust'));
  let speed = 0;
  let turned = 0;
  let pitch = 0;
  let pitchSpeed = 0;
  let time = 0;
  let driving = false;
  let dustDue = 0;

  const draw = (seconds: number, acceleration: number) => {
    time += seconds;
    scroll(speed * seconds);
    turned += ((speed * seconds) / wheelRadius) * (180 / Math.PI);
    // The truck's body is a mass on springs: acceleration sinks the rear, braking sinks the front.
    const lean = Math.max(-2.6, Math.min(2.6, -acceleration / 150));
    const step = Math.min(0.05, seconds);
    pitchSpeed += (130 * (lean - pitch) - 9 * pitchSpeed) * step;
    pitch += pitchSpeed * step;
    const roughness = (Math.sin(time * 31) + Math.sin(time * 19.7)) * 0.9 * (speed / cruise);
    const idle = Math.sin(time * 46) * 0.35 + Math.max(0, Math.sin(time * 2.1)) ** 8 * -1.6;
    body?.setAttribute(
      'transform',
      `translate(0 ${(roughness + idle).toFixed(2)}) rotate(${pitch.toFixed(2)} 196 260)`,
    );
    moveTo(wheelA!, 108, 282, ` rotate(${turned.toFixed(1)})`);
    moveTo(wheelB!, 296, 282, ` rotate(${turned.toFixed(1)})`);
    dustDue -= seconds * Math.max(idling, speed / cruise);
    if (dustDue < 0 && seconds > 0) {
      if (speed > 60) dust.add(70, 304);
      else dust.add(28, 282);
      dustDue = 0.09;
    }
    dust.draw(seconds, speed);
  };

  const openCrate = (share: number) => {
    const height = 150 * share - 60 * share * share;
    moveTo(lid!, -95 * share, -height, ` rotate(${(-75 * share).toFixed(1)} 104 170)`);
    lid?.setAttribute('opacity', String(Math.max(0, 1.6 - share * 1.7)));
    glow?.setAttribute('opacity', String(share));
  };

  const idle = () => {
    draw(0, 0);
    if (reducedMotion()) return;
    void eachFrame((seconds) => {
      if (driving || !root.isConnected || root.getAttribute('data-state') !== 'ready') return false;
      draw(seconds, 0);
    });
  };

  idle();
  return {
    start() {
      driving = true;
      if (reducedMotion()) return;
      let driven = 0;
      void eachFrame((seconds) => {
        if (!driving) return false;
        driven += seconds;
        // Each gear begins with a jolt, because the acceleration jumps.
        const gear = Math.min(gears, 1 + Math.floor(driven / secondsPerGear));
        const gain = ((cruise * gear) / gears - speed) * 3;
        speed += gain * seconds;
        draw(seconds, gain);
      });
    },
    async arrive() {
      driving = false;
      if (!reducedMotion()) {
        const from = Math.max(speed, 120);
        await eachFrame((seconds) => {
          const braking = -(from / 2.1);
          speed = Math.max(0, speed + braking * seconds);
          draw(seconds, speed > 0 ? braking : 0);
          return speed > 0;
        });
        await animate(0.7, (share, seconds) => {
          draw(seconds, 0);
          moveTo(lid!, Math.sin(share * 42) * 2.2, -Math.abs(Math.sin(share * 20)) * 4 * share);
        });
        await animate(0.5, (share, seconds) => {
          draw(seconds, 0);
          openCrate(easeInOut(share));
        });
      }
      openCrate(1);
    },
    reset() {
      driving = false;
      speed = 0;
      idle();
    },
  };
};
