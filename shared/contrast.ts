/** Contrast of two colours, as WCAG 2.2 counts it. Colours are `#rrggbb`. Pure. */

/** What text needs against what is behind it (WCAG 2.2, 1.4.3), and what a control needs (1.4.11). */
export const leastContrast = { text: 4.5, control: 3 } as const;

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const linear = (channel: number) =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, for two that are the same, to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The least contrast of a colour with each of some others. */
export const contrastWithAll = (colour: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrast(colour, other)));

/** A colour with a share, from 0 to 1, of another in it. */
export function mixed(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, i) =>
    Math.round(channel + (others[i]! - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const steps = 256;

/** The colour with the least black or white in it that fits; undefined if none does. */
export function nearestThat(fits: (colour: string) => boolean, colour: string): string | undefined {
  for (let step = 0; step <= steps; step++) {
    const found = ['#000000', '#ffffff'].map((end) => mixed(colour, end, step / steps)).find(fits);
    if (found) return found;
  }
  return undefined;
}
