/** Calculates the contrast of colors according to WCAG 2.2. Pure functions. All colors are `#rrggbb`. */

/**
 * Minimum contrast ratio with the background: for text (WCAG 2.2, criterion 1.4.3) and for controls
 * (criterion 1.4.11).
 */
export const minimumContrast = { text: 4.5, control: 3 } as const;

const channelsOf = (color: string) =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const linear = (channel: number) =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, from 1 (equal colors) to 21 (black and white). */
export function contrastRatio(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export const leastContrast = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrastRatio(color, other)));

/** `share` is the part of `other` in the mix, from 0 to 1. */
export function mixColors(color: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(color).map((channel, i) =>
    Math.round(channel + (others[i]! - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const steps = 256;

export function nearestFittingColor(fits: (color: string) => boolean, color: string): string | undefined {
  for (let step = 0; step <= steps; step++) {
    const fitting = ['#000000', '#ffffff'].map((end) => mixColors(color, end, step / steps)).find(fits);
    if (fitting) return fitting;
  }
  return undefined;
}
