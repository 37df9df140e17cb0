import type { WinSize } from '../won.ts';
import { eachFrame, reducedMotion } from './motion.ts';

const colors = ['#ffb31a', '#d8343f', '#0d9c8d', '#fff1d0', '#5b8def', '#ff7a59'];

type Piece = {
  x: number;
  y: number;
  vx: number;
  vy: number;
  size: number;
  spin: number;
  turn: number;
  color: string;
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
      color: colors[i % colors.length]!,
    };
  });

/** Numbers of confetti pieces by the size of the win: thrown immediately, and half a second later. */
const pieceCounts: Record<WinSize, [number, number]> = {
  small: [0, 0],
  nice: [50, 0],
  big: [110, 0],
  grand: [170, 110],
};

export const throwConfetti = (root: Element, size: WinSize) => {
  const stage = root.querySelector('#stage')!;
  const canvas = stage.querySelector<HTMLCanvasElement>('#confetti');
  const paper = canvas?.getContext('2d');
  const [count, later] = pieceCounts[size];
  if (!canvas || !paper || count === 0 || reducedMotion()) return;
  // Draws one canvas pixel per CSS pixel: more would slow the drawing, and moving confetti hides the blur.
  const width = stage.clientWidth * 1.4;
  const height = stage.clientHeight * 1.66;
  Object.assign(canvas, { width, height });
  const thrown = (pieces: number, power: number) => burst(pieces, width / 2, height * 0.45, power);
  let pieces = thrown(count, size === 'grand' ? 1050 : 800);
  let untilSecond = later > 0 ? 0.5 : Number.POSITIVE_INFINITY;
  void eachFrame((seconds) => {
    paper.resetTransform();
    paper.clearRect(0, 0, width, height);
    untilSecond -= seconds;
    if (untilSecond < 0) {
      pieces.push(...thrown(later, 900));
      untilSecond = Number.POSITIVE_INFINITY;
    }
    for (const piece of pieces) {
      piece.vx *= 1 - 1.6 * seconds;
      piece.vy += (900 - piece.vy * 2.2) * seconds;
      piece.x += (piece.vx + Math.sin(piece.turn * 1.7) * 30) * seconds;
      piece.y += piece.vy * seconds;
      piece.turn += piece.spin * seconds;
      // Rotates the piece, and multiplies one of its sides by a cosine, so that the piece seems to tumble.
      const [cos, sin] = [Math.cos(piece.turn * 0.6), Math.sin(piece.turn * 0.6)];
      const side = Math.cos(piece.turn * 1.4);
      paper.setTransform(cos, sin, -sin * side, cos * side, piece.x, piece.y);
      paper.fillStyle = piece.color;
      paper.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * 0.66);
    }
    pieces = pieces.filter(({ y }) => y < height + 30);
    return pieces.length > 0;
  });
};
