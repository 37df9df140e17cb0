/** The verdict as one page that needs nothing else, for somebody who decides about it and is no engineer. */
import { html, type Markup, tableOf } from './markup.ts';
import { drawsPart } from './page-draws.ts';
import { placeInWords } from './summary.ts';
import type { BooksVerdict, CodeVerdict, Verdict } from './verdict.ts';

const style = `
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: .5rem 0; font-size: .9rem }
th, td { border: 1px solid #bbb; padding: .2rem .6rem; text-align: right }
th:first-child, td:first-child { text-align: left }
details { margin: .5rem 0 } summary { cursor: pointer }
code { font-size: .85rem; overflow-wrap: anywhere }
.good, .findings { padding: 1rem; font-size: 1.2rem }
.good { background: #e3f3e3 } .findings { background: #f8dede }`;

/** The page, as a text of HTML. */
export function pageOf(verdict: Verdict): string {
  const { findings, noticed, organizations } = verdict;
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Check of books</title>
<style>${{ markup: style }}</style>
<h1>Check of books</h1>
${verdictPart(verdict)}
${scopePart}
<h2>What was found</h2>
${findings.length > 0 ? findings.map(codePart) : html`<p>Nothing.</p>`}
<h2>What was not checked, or should be known</h2>
${noticed.map(noticePart)}
${organizations.map(booksPart)}
</html>
`.markup;
}

function verdictPart({ verdict, days_checked, findings, organizations }: Verdict): Markup {
  const records = sum(organizations.flatMap(({ days }) => days.map(({ records = 0 }) => records)));
  const checked = `${days_checked} days with ${records.toLocaleString('en')} records were checked`;
  return verdict === 'good'
    ? html`<p class="good"><b>Good.</b> ${checked}. Nothing was found that speaks against them.</p>`
    : html`<p class="findings"><b>There are findings.</b> ${checked}. What was found
is said below${findings.length > 1 ? html`, in ${findings.length} kinds` : undefined}. Until it is explained, do not rely
on these books.</p>`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

const scopePart = html`<h2>What was checked</h2>
<p>An operator of prize games closes each day with a book: a short text that is signed, and that stands for every
record of the day. Whoever has the book and the records can check, without trusting the operator:</p>
<ul>
<li>that the book is signed, follows from the one of the day before, and is the one of which a line was kept, if one was given;</li>
<li>that the records are those that the book was signed over, none more and none less, and that each of them follows
from the one before it in the history of its user;</li>
<li>that each draw follows from a secret whose fingerprint was published before, and, for queued free spins, from public
randomness that nobody could know when they were ordered; and that it gives the prize that was recorded, from the prize
table that was in force;</li>
<li>that what limited a draw follows from the day’s cash, from the stock of prizes and from what its user had won that
day, that no more was won than these allowed, and that nobody played more often than was allowed;</li>
<li>that each play was paid and each prize credited as recorded, and that each free spin that was ordered ran once.</li>
</ul>`;

function codePart(found: CodeVerdict): Markup {
  return html`<h3>${found.means}</h3>
<p><code>${found.code}</code>, ${times(found)}</p>
${listOf(found)}`;
}

/** What nobody has to look at one by one. */
function noticePart(noticed: CodeVerdict): Markup {
  return html`<details>
<summary>${noticed.means} (<code>${noticed.code}</code>, ${times(noticed)})</summary>
${listOf(noticed)}
</details>`;
}

const times = ({ count }: CodeVerdict) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);

function listOf({ count, first }: CodeVerdict): Markup {
  const more = count - first.length;
  return html`<ul>
${first.map((finding) => html`<li>${finding.sentence} <code>${placeInWords(finding)}</code></li>`)}
${more > 0 ? html`<li>and ${more.toLocaleString('en')} more</li>` : undefined}
</ul>`;
}

function booksPart({ organization_id, key, days, cash, stock, draws }: BooksVerdict): Markup {
  const dayRows = days.map(({ day, isChecked, records, sums, counts }) => [
    day,
    isChecked ? 'yes' : 'no',
    records ?? '–',
    sums ? sums.spins.regular : '–',
    sums ? sums.spins.amoe : '–',
    sums?.spins.debug ?? '–',
    counts?.operations ?? '–',
  ]);
  const cashRows = cash.map(({ day, limits, won, wins }) => [day, limits.join(', then '), won, wins]);
  const stockRows = stock.flatMap(({ game, won }) =>
    Object.entries(won).map(([id, count]) => [game, id, count]),
  );
  return html`<h2>Organization ${organization_id}</h2>
<p>Key: <code>${key ?? 'none is known'}</code></p>
${tableOf(['Day', 'Checked', 'Records', 'Plays', 'Free spins', 'Forced', 'Changes by operators'], dayRows)}
<h3>Cash</h3>
${tableOf(['Day', 'Limit (USD)', 'Won (USD)', 'Wins'], cashRows)}
${stockRows.length > 0 ? html`<h3>Prizes that have a stock</h3>${tableOf(['Game', 'Prize', 'Won'], stockRows)}` : undefined}
<h2>Draws</h2>
<p>Each prize should come up by its share of the weights, in plays and in free spins alike. Chance makes some difference;
how much of it is usual is said below each table. Plays that were forced to a result are left out.</p>
${draws.map(drawsPart)}
<h3>Lines to keep</h3>
<p>Keep one of these, anywhere out of the operator’s reach. Whoever has it can see later whether any record up to that
day was changed.</p>
<ul>${days.flatMap(({ kept_line }) => (kept_line ? [html`<li><code>${kept_line}</code></li>`] : []))}</ul>`;
}
