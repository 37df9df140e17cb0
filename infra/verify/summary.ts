import type { Finding } from '../../shared/books/check/findings.ts';
import type { CodeVerdict, Verdict } from '../../shared/books/check/verdict.ts';
import { escapeControls } from '../../shared/spelled-out.ts';
import { drawingInWords } from './page-drawings.ts';

export function summaryOf({ verdict, days_checked, findings, noticed, organizations }: Verdict): string {
  const days = (days_checked === 1 ? 'one day' : `${days_checked} days`) + stagesInWords(organizations);
  const kept = organizations.flatMap(({ days }) => days.flatMap(({ kept_line }) => kept_line ?? []));
  return [
    verdict === 'good' ? `GOOD: ${days} checked, no findings.` : `FINDINGS: ${days} checked.`,
    ...findings.flatMap(linesOf),
    ...organizations.flatMap(({ drawings }) =>
      drawings.map((one) => `  ${one.id} (${one.terms?.prize.en ?? 'drawing'}): ${drawingInWords(one)}`),
    ),
    '',
    'Limitations and notices:',
    ...noticed.map(({ code, means, count }) => `  ${code} (${count}): ${means}`),
    '',
    'Lines to keep:',
    ...kept.map((line) => `  ${line}`),
  ]
    .map(escapeControls)
    .join('\n');
}

/** The stages of the checked books, such as ` of production`. */
export function stagesInWords(organizations: Verdict['organizations']): string {
  const stages = new Set(organizations.flatMap(({ days }) => days.flatMap(({ stage }) => stage ?? [])));
  return stages.size > 0 ? ` of ${[...stages].sort().join(' and ')}` : '';
}

export function placeInWords({ organization_id, file, day, record, line }: Finding): string {
  return [file ?? day ?? organization_id, line && `line ${line}`, record].filter(Boolean).join(', ');
}

function linesOf({ code, means, count, first }: CodeVerdict): string[] {
  const listed = first.map((finding) => {
    const place = placeInWords(finding);
    return `    ${place ? `${place}: ` : ''}${finding.sentence}`;
  });
  const others = othersInWords({ count, first });
  return [`  ${code} (${count}): ${means}`, ...listed, ...(others ? [`    ${others}`] : [])];
}

export function othersInWords({ count, first }: Pick<CodeVerdict, 'count' | 'first'>): string | undefined {
  const others = count - first.length;
  if (others === 0) return undefined;
  return `and ${others.toLocaleString('en')} more`;
}
