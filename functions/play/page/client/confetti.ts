import { loop, reducedMotion } from './motion.ts';

const colours = ['#ffb31a', '#d8343f', '#0d9c8d', '#fff1d0', '#5b8def', '#ff7a59'];

type Piece = {
  x: number;
  y: number;
  vx: number;
  vy: number;
  size: number;
  spin: number;
  turn: number;
  colour: string;
};

const burst = (count: number, x: number, y: number, power: number): Piece[] =>
  Array.from({ length: count }, (_, i) => {
    const direction = -Math.PI / 2 + (Math.random() - 0.5) * 2.2;
    const force = power * (0.35 + Math.random() * 0.75);
    return {
      x,
      y,
      vx: Math.cos(direction) * force,
      vy: Math.sin(direction) * force,
      size: 6 + Math.random() * 7,
      spin: (Math.random() - 0.5) * 14,
      turn: Math.random() * 6,
      colour: colours[i % colours.length]!,
    };
  });

/** Throws paper from the middle of an element; `grand` for the prizes people tell their friends about. */
export const confetti = (from: Element, grand: boolean) => {
  const canvas = document.querySelector<HTMLCanvasElement>('#confetti');
  const paper = canvas?.getContext('2d');
  if (!canvas || !paper || reducedMotion()) return;
  const { left, top, width, height } = from.getBoundingClientRect();
  const density = Math.min(2, devicePixelRatio || 1);
  canvas.width = innerWidth * density;
  canvas.height = innerHeight * density;
  let pieces = burst(grand ? 170 : 70, left + width / 2, top + height * 0.4, grand ? 1050 : 760);
  let second = grand ? 0.5 : 99;
  loop((seconds) => {
    paper.setTransform(density, 0, 0, density, 0, 0);
    paper.clearRect(0, 0, innerWidth, innerHeight);
    second -= seconds;
    if (second < 0) {
      pieces.push(...burst(110, left + width / 2, top + height * 0.4, 900));
      second = 99;
    }
    for (const piece of pieces) {
      piece.vx *= 1 - 1.6 * seconds;
      piece.vy += (900 - piece.vy * 2.2) * seconds;
      piece.x += (piece.vx + Math.sin(piece.turn * 1.7) * 30) * seconds;
      piece.y += piece.vy * seconds;
      piece.turn += piece.spin * seconds;
      paper.save();
      paper.translate(piece.x, piece.y);
      paper.rotate(piece.turn * 0.6);
      paper.scale(1, Math.cos(piece.turn * 1.4));
      paper.fillStyle = piece.colour;
      paper.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * 0.66);
      paper.restore();
    }
    pieces = pieces.filter(({ y }) => y < innerHeight + 30);
    return pieces.length > 0 || second < 1;
  });
};
