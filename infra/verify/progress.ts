/** Where a bar can be shown: a terminal, or something else, where it is not. */
type Screen = { isTTY?: boolean; write: (text: string) => unknown };

const width = 40;

/** A bar on a terminal that shows how far a check is; nothing elsewhere. */
export function progressBar(screen: Screen): { show: (share: number) => void; end: () => void } {
  let shown = -1;
  return {
    show(share) {
      const percent = Math.min(100, Math.floor(100 * share));
      if (!screen.isTTY || percent === shown) return;
      shown = percent;
      const full = Math.floor((width * percent) / 100);
      screen.write(`\r[${'#'.repeat(full)}${' '.repeat(width - full)}] ${percent} %`);
    },
    end() {
      if (shown >= 0) screen.write(`\r${' '.repeat(width + 8)}\r`);
    },
  };
}
