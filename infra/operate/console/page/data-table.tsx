import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CsvRow } from '../../admin/report/csv.ts';
import {
  type Column,
  columnsOf,
  csvOfRows,
  filteredRows,
  numericFields,
  type SortOrder,
  sortedRows,
  type TableRow,
} from './columns.ts';
import { downloadCsv } from './download.ts';
import { countText, labelOf, looksLikeId, numberText, valueText } from './format.ts';
import { hrefOf } from './route.ts';

type Props = {
  /** Accessible name of the table. Its CSV file gets the same name. */
  caption: string;
  rows: TableRow[];
  columns?: Column[] | undefined;
  /** Text that is shown instead of a table without rows. */
  empty?: string;
  /** If set, user ids become links to the user's page. */
  org?: string | undefined;
  heading?: string;
  stamp?: CsvRow;
  children?: ComponentChildren;
};

/** Rows shown at most, because a page with 10,000 would be slow. */
const maxShown = 500;

export function DataTable(props: Props) {
  const { caption, rows, columns, heading, empty = 'Nothing to show.', org, stamp, children } = props;
  const [sort, setSort] = useState<SortOrder>();
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => columns ?? columnsOf(rows), [columns, rows]);
  const sorted = useMemo(() => sortedRows(rows, sort), [rows, sort]);
  const filtered = useMemo(() => filteredRows(sorted, filter), [sorted, filter]);
  const numeric = useMemo(() => numericFields(rows), [rows]);
  const name = caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  if (rows.length === 0) {
    return (
      <div class="data">
        {heading && <h2>{heading}</h2>}
        <p class="empty">{empty}</p>
      </div>
    );
  }
  return (
    <div class="data">
      <div class="tools">
        {heading && <h2>{heading}</h2>}
        <span class="count" role="status">
          {filtered.length === rows.length ? '' : `${numberText(filtered.length)} of `}
          {countText(rows.length, 'row')}
        </span>
        {children}
        <input
          type="search"
          placeholder="Filter"
          aria-label={`Filter ${caption}`}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <button
          type="button"
          class="quiet"
          onClick={() => downloadCsv(`${name}.csv`, csvOfRows(shown, sorted, stamp))}
        >
          Export CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a pointer could scroll */}
      <section class="scroller" aria-label={caption} tabIndex={0}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Header
                  key={column.name}
                  column={column}
                  isNumeric={numeric.has(column.name)}
                  sort={sort}
                  sortBy={(name) =>
                    setSort({ name, ascending: sort?.name === name ? !sort.ascending : true })
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {filtered.slice(0, maxShown).map((row, index) => (
              <tr key={index}>
                {shown.map((column) => (
                  <Cell
                    key={column.name}
                    column={column}
                    row={row}
                    org={org}
                    isNumeric={numeric.has(column.name)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {filtered.length > maxShown && (
        <p class="faint">The first {maxShown} are shown. Sort, filter or export to see others.</p>
      )}
    </div>
  );
}

type HeaderProps = { column: Column; isNumeric: boolean; sort: SortOrder; sortBy: (name: string) => void };

function Header({ column: { name, label }, isNumeric, sort, sortBy }: HeaderProps) {
  const order = sort?.name !== name ? 'none' : sort.ascending ? 'ascending' : 'descending';
  return (
    <th scope="col" class={isNumeric ? 'number' : ''} aria-sort={order}>
      <button type="button" onClick={() => sortBy(name)}>
        {label ?? labelOf(name)}
        <span aria-hidden="true">{{ none: '', ascending: ' ↑', descending: ' ↓' }[order]}</span>
      </button>
    </th>
  );
}

type CellProps = { column: Column; row: TableRow; org: string | undefined; isNumeric: boolean };

function Cell({ column: { name, show, grows }, row, org, isNumeric }: CellProps) {
  const value = row[name];
  const text = valueText(name, value);
  const plain = name === 'user_id' && org ? <UserLink org={org} user={text} /> : text;
  return (
    <td
      class={isNumeric ? 'number' : grows ? 'grows' : looksLikeId(value) ? 'code' : ''}
      title={typeof value === 'string' ? value : undefined}
    >
      <div>{show ? show(row) : looksLikeId(value) && name !== 'user_id' ? <Code text={text} /> : plain}</div>
    </td>
  );
}

const shownLetters = 10;

/** A shortened id, which a click copies in full. */
const Code = ({ text }: { text: string }) => (
  <button
    type="button"
    class="copy"
    title={`Copy ${text}`}
    onClick={() => void navigator.clipboard?.writeText(text)}
  >
    {text.length > shownLetters + 2 ? `${text.slice(0, 4)}…${text.slice(-6)}` : text}
  </button>
);

const UserLink = ({ org, user }: { org: string; user: string }) => (
  <a href={hrefOf('users', { org, user })}>
    {user.slice(0, 4)}…{user.slice(-6)}
  </a>
);
