import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from '../../admin/report/csv.ts';
import {
  type Column,
  columnsOf,
  csvOfRows,
  filteredRows,
  numericFields,
  type Sort,
  sortedRows,
  type TableRow,
  widthsOf,
} from './columns.ts';
import { downloadCsv } from './download.ts';
import { countText, isCode, labelOf, numberText, valueText } from './format.ts';
import { hrefOf } from './route.ts';
import { Scroller } from './scroller.tsx';

type Props<R extends TableRow = TableRow> = {
  /** Accessible name of the table. Its CSV file gets the same name. */
  caption: string;
  rows: R[];
  columns?: Column<keyof NoInfer<R> & string>[] | undefined;
  /** Text that is shown instead of a table without rows. */
  empty?: string;
  /** If set, user ids become links to the user's page. */
  org?: string | undefined;
  tall?: boolean;
  heading?: string;
  stamp?: Row;
  children?: ComponentChildren;
};

const extraRows = 12;
const shownAtMost = 560;

/** Renders only visible rows, so 10,000 rows stay fast. */
export function DataTable<R extends TableRow>(props: Props<R>) {
  const { caption, rows, columns, heading, empty = 'Nothing to show.', stamp, children } = props;
  const [sort, setSort] = useState<Sort>();
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => columns ?? columnsOf(rows), [columns, rows]);
  const sorted = useMemo(() => sortedRows(rows, sort), [rows, sort]);
  const filtered = useMemo(() => filteredRows(sorted, filter), [sorted, filter]);
  const name = caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  if (rows.length === 0) {
    return (
      <div class="data">
        {heading && <h2 class="alone">{heading}</h2>}
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
      <Rows
        key={`${filter} ${sort?.name} ${sort?.ascending}`}
        {...props}
        columns={shown}
        filtered={filtered}
        sort={sort}
        sortBy={(name) =>
          setSort((before) => ({ name, ascending: before?.name === name ? !before.ascending : true }))
        }
      />
    </div>
  );
}

type RowsProps = Props & {
  columns: Column[];
  filtered: TableRow[];
  sort: Sort;
  sortBy: (name: string) => void;
};

function Rows({ caption, rows, filtered, columns, sort, sortBy, org, tall = false }: RowsProps) {
  const [top, setTop] = useState(0);
  const scroller = useRef<HTMLElement>(null);
  const numeric = useMemo(() => numericFields(rows), [rows]);
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const isGrowing = columns.some(({ grows }) => grows);
  const height = tall ? 56 : 38;
  const first = Math.max(0, Math.floor(top / height) - extraRows);
  const last = Math.min(filtered.length, first + Math.ceil(shownAtMost / height) + 2 * extraRows);
  return (
    <Scroller label={caption} scrolled={setTop} element={scroller}>
      <table aria-rowcount={filtered.length + 1} style={{ minWidth: `${total}px` }}>
        <caption class="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map(({ name, grows }, index) => (
            <col
              key={name}
              style={{
                width: grows
                  ? 'auto'
                  : isGrowing
                    ? `${widths[index]}px`
                    : `${(100 * widths[index]!) / total}%`,
              }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header
                key={column.name}
                column={column}
                isNumeric={numeric.has(column.name)}
                sort={sort}
                sortBy={sortBy}
              />
            ))}
          </tr>
        </thead>
        <tbody class={tall ? 'tall' : ''}>
          {first > 0 && <Gap height={first * height} columns={columns.length} />}
          {filtered.slice(first, last).map((row, index) => (
            <tr key={first + index} aria-rowindex={first + index + 2}>
              {columns.map((column) => (
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
          {last < filtered.length && (
            <Gap height={(filtered.length - last) * height} columns={columns.length} />
          )}
        </tbody>
      </table>
    </Scroller>
  );
}

type HeaderProps = { column: Column; isNumeric: boolean; sort: Sort; sortBy: (name: string) => void };

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

const Gap = ({ height, columns }: { height: number; columns: number }) => (
  <tr class="gap">
    <td colSpan={columns} style={{ height: `${height}px` }} />
  </tr>
);

type CellProps = { column: Column; row: TableRow; org: string | undefined; isNumeric: boolean };

function Cell({ column: { name, show }, row, org, isNumeric }: CellProps) {
  const value = row[name];
  const text = valueText(name, value);
  const plain = name === 'user_id' && org ? <UserLink org={org} user={text} /> : text;
  return (
    <td class={isNumeric ? 'number' : isCode(value) ? 'code' : ''} title={titleOf(value)}>
      <div>{show ? show(row) : plain}</div>
    </td>
  );
}

function titleOf(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'number') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const UserLink = ({ org, user }: { org: string; user: string }) => (
  <a href={hrefOf('users', { org, user })}>{user}</a>
);
