import { authorityIn } from '../../shared/books/check/timestamps.ts';
import type { DayVerdict } from '../../shared/books/verify/check.ts';
import type { BooksVerdict, CodeVerdict, Verdict } from '../../shared/books/verify/verdict.ts';
import { html, type Markup, tableOf } from './markup.ts';
import { drawsPart } from './page-draws.ts';
import { othersInWords, placeInWords } from './summary.ts';

const style = `
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: .5rem 0; font-size: .9rem }
th, td { border: 1px solid #bbb; padding: .2rem .6rem; text-align: right }
th:first-child, td:first-child { text-align: left }
details { margin: .5rem 0 } summary { cursor: pointer }
code { font-size: .85rem } code, h2, h3, li { overflow-wrap: anywhere }
.good, .findings { padding: 1rem; font-size: 1.2rem }
.good { background: #e3f3e3 } .findings { background: #f8dede }`;

/** Returns the verdict as a self-contained HTML page for lawyers and auditors. */
export function pageOf(verdict: Verdict): string {
  const { findings, noticed, organizations } = verdict;
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Book verification report</title>
<style>${{ markup: style }}</style>
<h1>Book verification report</h1>
${verdictPart(verdict)}
${scopePart}
<h2>Findings</h2>
${findings.length > 0 ? findings.map(codePart) : html`<p>None.</p>`}
<h2>Limitations and notices</h2>
${noticed.map(noticePart)}
${organizations.map(booksPart)}
</html>
`.markup;
}

function verdictPart({ verdict, days_checked, findings, organizations }: Verdict): Markup {
  const records = sum(organizations.flatMap(({ days }) => days.map(({ records = 0 }) => records)));
  const days = days_checked === 1 ? '1 day' : `${days_checked} days`;
  const checked = `${days} with ${records.toLocaleString('en')} records checked`;
  return verdict === 'good'
    ? html`<p class="good"><b>No discrepancies found.</b> ${checked}. What this does not cover is listed under
limitations and notices.</p>`
    : html`<p class="findings"><b>Discrepancies found.</b> ${checked}. Findings are listed
below${findings.length > 1 ? html` in ${findings.length} categories` : undefined}. Do not rely on these books until
each finding has been explained.</p>`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

const scopePart = html`<h2>What was checked</h2>
<p>The operator of the prize games closes each day with a book: a short signed text that covers every record
of the day. Anyone who has the book and the records can verify the following without relying on the
operator.</p>
<ul>
<li><b>Signature and sequence.</b> The book is signed and follows the previous day’s book. If you gave
a kept line, the book matches it.</li>
<li><b>Time.</b> An independent timestamp authority signs that it saw a book at a time (RFC 3161). A book
that is replaced afterwards needs a later timestamp. The table of days lists the times.</li>
<li><b>Completeness.</b> The records are exactly those that the book was signed for. Each record follows
from the previous one in its user’s history.</li>
<li><b>Draws.</b> Each draw follows from a secret whose fingerprint was published in advance. A queued free
spin also follows from public randomness that nobody could know when the spin was ordered; notices list the
exceptions. The draw yields the recorded prize under the prize table in force.</li>
<li><b>Limits.</b> The prizes available to each draw follow from the day’s remaining cash, the remaining
stock of prizes, and the user’s earlier wins that day. Wins and plays stayed within the limits in
force.</li>
<li><b>Payment.</b> Each play was paid for, and each prize was credited, as recorded. No free
spin ran twice; notices list spins that had not run.</li>
</ul>`;

function codePart(found: CodeVerdict): Markup {
  return html`<h3>${found.means}</h3>
<p><code>${found.code}</code>, ${times(found)}</p>
${listOf(found)}`;
}

/** Returns a notice as a collapsed section, because a notice is not a fault in the books. */
function noticePart(noticed: CodeVerdict): Markup {
  return html`<details>
<summary>${noticed.means} (<code>${noticed.code}</code>, ${times(noticed)})</summary>
${listOf(noticed)}
</details>`;
}

function authoritiesPart(days: DayVerdict[]): Markup[] {
  const named = new Set(days.flatMap(({ timestamp }) => (timestamp ? [authorityIn(timestamp)] : [])));
  return [...named].map(
    (one) =>
      html`<p>The times in the last column are signed by the timestamp authority <code>${one}</code>.</p>`,
  );
}

const times = ({ count }: CodeVerdict) =>
  count === 1 ? '1 instance' : `${count.toLocaleString('en')} instances`;

function listOf(verdict: CodeVerdict): Markup {
  const { first } = verdict;
  const others = othersInWords(verdict);
  return html`<ul>
${first.map((finding) => html`<li>${finding.sentence} <code>${placeInWords(finding)}</code></li>`)}
${others && html`<li>${others}</li>`}
</ul>`;
}

const noneWon = html`<p>No checked draw won cash or a prize with limited stock. Plays with a forced result are excluded.</p>`;

function booksPart({ organization_id, key, days, budgets, draws }: BooksVerdict): Markup {
  const dayRows = days.map(({ day, isChecked, records, sums, counts, timestamp }) => [
    day,
    isChecked ? 'yes' : 'no',
    records ?? '–',
    sums ? sums.spins.regular : '–',
    sums ? sums.spins.amoe : '–',
    sums?.spins.debug ?? '–',
    counts?.operations ?? '–',
    timestamp?.at ?? 'not confirmed',
  ]);
  const budgetRows = budgets.flatMap(({ budget, limit = '–', granted }) =>
    Object.entries(granted).map(([counted, sum]) => [
      budget,
      counted === 'usd' ? 'USD' : counted,
      limit,
      sum,
    ]),
  );
  return html`<h2>Organization ${organization_id}</h2>
<p>Signing key: <code>${key ?? 'not known'}</code></p>
${tableOf(['Day', 'Checked', 'Records', 'Plays', 'Free spins', 'Forced plays', 'Operator actions', 'Timestamp'], dayRows)}
${authoritiesPart(days)}
<h3>Cash, and prizes with limited stock</h3>
${budgetRows.length > 0 ? tableOf(['Budget', 'Counted', 'Highest limit', 'Won'], budgetRows) : noneWon}
<h2>Draws</h2>
<p>Each prize should be drawn at its published odds, in plays and free spins alike. If cash, stock
or a limit was used up, some prizes were left out of a draw; such draws are compared separately. Chance causes
some deviation; the text below each table states whether the deviation is usual. Plays with a forced result
are excluded.</p>
${draws.map(drawsPart)}
<h3>Lines to keep</h3>
<p>Keep one of these lines where the operator cannot change it. With it, you can later detect a change to
any record up to and including that day.</p>
<ul>${days.flatMap(({ kept_line }) => (kept_line ? [html`<li><code>${kept_line}</code></li>`] : []))}</ul>`;
}
