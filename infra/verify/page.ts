import { authorityIn } from '../../shared/books/check/genuine.ts';
import type {
  BooksVerdict,
  CodeVerdict,
  DayVerdict,
  ReportedAction,
  Verdict,
} from '../../shared/books/check/verdict.ts';
import { canonicalJson } from '../../shared/ids.ts';
import { html, type Markup, tableOf } from './markup.ts';
import { drawingSection } from './page-drawings.ts';
import { drawsSection } from './page-draws.ts';
import { othersInWords, placeInWords, stagesInWords } from './summary.ts';

const style = `
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: .5rem 0; font-size: .9rem }
th, td { border: 1px solid #bbb; padding: .2rem .6rem; text-align: right }
th:first-child, td:first-child { text-align: left }
details { margin: .5rem 0 } summary { cursor: pointer }
code { font-size: .85rem } code, h2, h3, li { overflow-wrap: anywhere }
.good, .findings { padding: 1rem; font-size: 1.2rem }
.good { background: #e3f3e3 } .findings { background: #f8dede }`;

export function verdictPage(verdict: Verdict): string {
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
  const checked = `${days}${stagesInWords(organizations)} with ${records.toLocaleString('en')} records checked`;
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
of the day. Anyone who has the books and the records can verify the following without relying on the
operator.</p>
<ol>
<li><b>It is the book.</b> It is signed, follows from the book of the day before, matches the line that you kept,
and existed at the time that an independent authority signed (RFC 3161).</li>
<li><b>It is complete.</b> The records are exactly those that the book was signed for. Each user’s records form a chain
without a gap, a fork or a change.</li>
<li><b>Balances are right.</b> Each follows from the one before. A play’s cost and prize are booked as its outcome
says.</li>
<li><b>Draws are right.</b> Each outcome follows from the day’s secret, whose fingerprint was published two days before,
from a second input (client seed) and from the prize table. Each play and each free spin was drawn once.</li>
<li><b>Limits held.</b> The numbered wins stayed within the day’s cash, the stock of prizes and the limit of a user’s
wins.</li>
<li><b>Odds, costs and limits were those in force.</b> They follow from the recorded changes, which are listed below.
So does the period of a promotion, outside of which a draw gives only tickets.</li>
<li><b>No result was forced</b> in production.</li>
</ol>
<p>Of each drawing among entries: it was announced in time and nothing of it changed; its list has the entries that it
used up, and was made before its round was public; winners and alternates follow from the list and the announced round;
its public file, if given, says nothing else.</p>
<h3>What was not checked</h3>
<p>Whether an action by an operator was justified. Whether the operator, who can use the keys, chose what happened on
a day before its book was timestamped: own seeds, records added or left out. Whether pauses, suspensions and the
limit of plays a day were kept, when free spins ran after they were due, and which date a host chose for them. Who a
user is, and whether a prize was handed over. Of a drawing, whether a forfeit was just, and whether hosts credited
entries to users who had earned them.</p>`;

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

/** Page changes shown at most: hosts can make many, which must not hide what operators did. */
const maxPageChanges = 20;

/** A reader must ask for the reason of each action. */
function actionsPart(actions: readonly ReportedAction[]): Markup {
  const pageChanges = actions.filter(({ action }) => action === 'page_changed');
  const left = new Set(pageChanges.slice(maxPageChanges));
  const rows = actions
    .filter((one) => !left.has(one))
    .map(({ at, operator, action, about, before, after, why }) => [
      at,
      operator,
      action,
      canonicalJson({ ...about, ...(Object.keys(after).length > 0 && { before, after }) }),
      why ?? '–',
    ]);
  return html`<h3>What operators did</h3>
<p>Ask for the reason of each action. Of the reason for an action on a user, the books have only a digest.</p>
${tableOf(['Time (UTC)', 'Operator', 'Action', 'What', 'Why'], rows)}
${left.size > 0 ? html`<p>And ${left.size} more changes of the play page.</p>` : undefined}`;
}

function booksPart({ organization_id, key, days, budgets, draws, actions, drawings }: BooksVerdict): Markup {
  const dayRows = days.map(({ day, isChecked, records, sums, counts, timestamp }) => [
    day,
    isChecked ? 'yes' : 'no',
    records ?? '–',
    sums ? sums.spins.regular : '–',
    sums ? sums.spins.amoe : '–',
    sums?.spins.debug ?? '–',
    counts?.actions ?? '–',
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
${actionsPart(actions)}
<h2>Draws</h2>
<p>Each of these draws was computed again with the published odds, for plays and free spins alike. The shares that were
drawn deviate from the odds by chance. If cash, stock or a limit was used up, some prizes were left out of a draw; such
draws have a table of their own. Plays with a forced result are excluded.</p>
${draws.map(drawsSection)}
${drawings.length > 0 ? html`<h2>Drawings among entries</h2>${drawings.map(drawingSection)}` : undefined}
<h3>Lines to keep</h3>
<p>Keep one of these lines where the operator cannot change it. With it, you can later detect a change to
any record up to and including that day.</p>
<ul>${days.flatMap(({ kept_line }) => (kept_line ? [html`<li><code>${kept_line}</code></li>`] : []))}</ul>`;
}
