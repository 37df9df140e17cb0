/** Contrast of colors by WCAG 2.2. Colors are `#rrggbb`. Pure. */

/** Minimum contrast with the background: of text (WCAG 2.2, 1.4.3) and of controls (1.4.11). */
export const leastContrast = { text: 4.5, control: 3 } as const;

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const linear = (channel: number) =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, from 1 (equal) to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the lowest contrast of a color with any of the others. */
export const contrastWithAll = (colour: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrast(colour, other)));

/** Mixes two colors; `share` of the other is from 0 to 1. */
export function mixed(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, i) =>
    Math.round(channel + (others[i]! - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const steps = 256;

/** Returns the color that fits with the least black or white mixed in, or undefined if none fits. */
export function nearestThat(fits: (colour: string) => boolean, colour: string): string | undefined {
  for (let step = 0; step <= steps; step++) {
    const found = ['#000000', '#ffffff'].map((end) => mixed(colour, end, step / steps)).find(fits);
    if (found) return found;
  }
  return undefined;
}
