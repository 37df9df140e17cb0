import { eachFrame, reducedMotion } from './motion.ts';

const letters = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const splitFlapBoard = (element: Element | null) => {
  const cells = [...(element?.children ?? [])];
  let latestRun = 0;
  return (text: string) => {
    const target = [...text.padEnd(cells.length)];
    const run = ++latestRun;
    if (reducedMotion()) {
      for (const [i, cell] of cells.entries()) cell.textContent = target[i]!;
      return;
    }
    let elapsed = 0;
    void eachFrame((seconds) => {
      if (run !== latestRun) return false;
      elapsed += seconds;
      cells.forEach((cell, i) => {
        const settled = elapsed > 0.35 + i * 0.09;
        cell.textContent = settled ? target[i]! : letters[Math.floor(elapsed * 26 + i * 7) % letters.length]!;
      });
      return elapsed < 0.4 + cells.length * 0.09;
    });
  };
};
