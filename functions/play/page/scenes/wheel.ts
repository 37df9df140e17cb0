import { type Html, html, trustedHtml } from '../html.ts';
import type { Texts } from '../texts/en.ts';
import type { Lang, ListedPrize } from '../view.ts';
import { wedgeText } from '../won.ts';

type Wedge = { prize: ListedPrize; index: number; step: number };

const outerRadius = 172;
const wordsEnd = 130;
const hubRadius = 54;
const minWedges = 8;

const paints = [
  { paper: '#d8343f', ink: '#fff6e2' },
  { paper: '#fff1d0', ink: '#1c1533' },
  { paper: '#0d7d72', ink: '#fff6e2' },
  { paper: '#ffb31a', ink: '#1c1533' },
  { paper: '#27457f', ink: '#fff6e2' },
];

const paintOf = (index: number, count: number) => {
  const meetsFirst = index === count - 1 && index % paints.length === 0;
  return paints[meetsFirst ? 2 : index % paints.length]!;
};

const round = (n: number) => Math.round(n * 100) / 100;

const pointAt = (radius: number, degrees: number) => {
  const radians = ((degrees - 90) * Math.PI) / 180;
  return `${round(radius * Math.cos(radians))} ${round(radius * Math.sin(radians))}`;
};

const wheelPrizes = (prizes: readonly ListedPrize[]) => {
  const inDraw = prizes.filter(({ available, out_for }) => available || out_for === 'test');
  const rounds = inDraw.length === 0 ? 0 : Math.ceil(minWedges / inDraw.length);
  return Array.from({ length: rounds }, () => inDraw).flat();
};

const fontSizeOf = (lines: string[], step: number) => {
  const letters = Math.max(...lines.map(({ length }) => length));
  // Assumes that a letter is 0.54 times as wide as the font size.
  const width = (size: number) => 0.54 * size * letters;
  const room = (size: number) =>
    2 * (wordsEnd - width(size)) * Math.tan((Math.min(step, 90) * Math.PI) / 360);
  const fits = (size: number) =>
    width(size) <= wordsEnd - hubRadius && 0.9 * size * lines.length <= room(size);
  let size = 27;
  while (size > 9 && !fits(size)) size -= 0.5;
  return size;
};

/** Splits a text of two words into two lines if the text can then be over 20 % larger. */
const linesOf = (text: string, step: number) => {
  const words = text.split(' ');
  return words.length === 2 && fontSizeOf(words, step) > 1.2 * fontSizeOf([text], step) ? words : [text];
};

const wedge = (lang: Lang, texts: Texts, { prize, index, step }: Wedge, count: number) => {
  const { paper, ink } = paintOf(index, count);
  const lines = linesOf(wedgeText(lang, texts, { ...prize, label: prize.label[lang] }), step);
  const size = fontSizeOf(lines, step);
  const words =
    lines.length === 1
      ? lines[0]
      : lines.map((line, i) => html`<tspan x="${wordsEnd}" y="${round(size * (i - 0.12))}">${line}</tspan>`);
  return html`<g data-prize="${prize.id}" transform="rotate(${round(index * step)})" color="${ink}"><path d="M0 0L${pointAt(outerRadius, -step / 2)}A${outerRadius} ${outerRadius} 0 0 1 ${pointAt(outerRadius, step / 2)}Z" fill="${paper}"/><text transform="rotate(-90)" x="${wordsEnd}" y="${round(size * 0.35)}" font-size="${size}">${words}</text><use href="#i-${prize.kind}" x="-13" y="${-outerRadius + 13}" width="26" height="26"/></g>`;
};

const bulbs = Array.from(
  { length: 24 },
  (_, i) => `<circle class="bulb${i % 2}" cy="-186" r="5.2" transform="rotate(${i * 15 + 7.5})"/>`,
).join('');

const rim = trustedHtml(
  `<svg class="rim" viewBox="-200 -200 400 400"><circle r="199" fill="#7a1626"/><circle r="196" fill="#b8202f"/><circle r="176" fill="#3d0a18"/>${bulbs}</svg>`,
);

const hubAndFlap = trustedHtml(
  '<svg class="hub" viewBox="-50 -50 100 100"><circle r="40" fill="#1c1533" opacity=".35" cy="4"/><circle r="38" fill="#ffb31a"/><circle r="31" fill="#d8343f"/><path fill="#fff6e2" d="m0-20 5.9 12.1 13.3 1.9-9.6 9.3 2.3 13.2L0 10.2-11.9 16.5l2.3-13.2-9.6-9.3 13.3-1.9Z"/></svg><div class="flap" id="flap"><svg viewBox="-15 -206 30 60"><path d="M-13-190a13 13 0 0 1 26 0c0 9-9 22-13 36-4-14-13-27-13-36Z" fill="#fff6e2" stroke="#1c1533" stroke-width="3"/><circle cy="-189" r="5.5" fill="#d8343f"/></svg></div>',
);

/** `won` is the id of the prize to which the wheel points. */
export const wheelMarkup = (lang: Lang, texts: Texts, prizes: readonly ListedPrize[], won?: string): Html => {
  const shown = wheelPrizes(prizes);
  const step = 360 / Math.max(1, shown.length);
  const wonIndex = Math.max(
    0,
    shown.findIndex(({ id }) => id === won),
  );
  const wedges = shown.map((prize, index) => wedge(lang, texts, { prize, index, step }, shown.length));
  const pegs = shown.map((_, index) => {
    const [x, y] = pointAt(outerRadius - 5, (index + 0.5) * step).split(' ');
    return html`<circle cx="${x}" cy="${y}" r="3.6"/>`;
  });
  return html`<div class="wheel" aria-hidden="true">${rim}<div class="disc" id="disc"><svg viewBox="-172 -172 344 344"><g transform="rotate(${round(-wonIndex * step)})" class="wedges">${wedges}<g fill="#fff6e2" stroke="#1c1533" stroke-width="1.5">${pegs}</g></g></svg></div>${hubAndFlap}</div>`;
};
