/** `isTTY` is true for a terminal. */
type Screen = { isTTY?: boolean; write: (text: string) => unknown };

const width = 40;

export function progressBar(screen: Screen): { show: (fraction: number) => void; end: () => void } {
  let shown = -1;
  return {
    show(fraction) {
      const percent = Math.min(100, Math.floor(100 * fraction));
      if (!screen.isTTY || percent === shown) return;
      shown = percent;
      const full = Math.floor((width * percent) / 100);
      screen.write(`\r[${'#'.repeat(full)}${' '.repeat(width - full)}] ${percent}%`);
    },
    end() {
      if (shown >= 0) screen.write(`\r${' '.repeat(width + 7)}\r`);
    },
  };
}
