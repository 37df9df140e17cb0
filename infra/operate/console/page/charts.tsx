import { hourText, numberText, usdText } from './format.ts';

/** The figures of one hour in the output of `report today`; `from` is its start as an ISO string. */
export type Hour = { from: string; regular: number; amoe: number; cash_usd: number };

const size = { width: 560, height: 200, left: 48, right: 8, top: 12, bottom: 24 };
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
const bottom = size.top + inner.height;
const right = size.left + inner.width;

/** Rounds up to a round number for an axis: 34 becomes 35, and 120 becomes 150. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil(value / unit / 0.5) * 0.5 * unit || 1;
}

function Axes({ max, text, hours }: { max: number; text: (value: number) => string; hours: Hour[] }) {
  const step = inner.width / hours.length;
  return (
    <>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            class="grid"
            x1={size.left}
            x2={right}
            y1={bottom - share * inner.height}
            y2={bottom - share * inner.height}
          />
          <text x={size.left - 8} y={bottom - share * inner.height + 4} text-anchor="end">
            {text(share * max)}
          </text>
        </g>
      ))}
      {hours.map(({ from }, hour) =>
        hour % 4 === 0 ? (
          <text key={from} x={size.left + hour * step} y={size.height - 6}>
            {hourText(from)}
          </text>
        ) : null,
      )}
    </>
  );
}

/** Chart of the cash (USD) won from the day's beginning to the end of each hour, with the daily limit as a line. */
export function CashChart({
  hours,
  limitUsd,
  until,
}: {
  hours: Hour[];
  limitUsd: number | undefined;
  until: number;
}) {
  const begun = hours.filter(({ from }) => Date.parse(from) <= until);
  let sum = 0;
  const sums = begun.map(({ cash_usd }) => {
    sum += cash_usd;
    return sum;
  });
  const max = roundUp(Math.max(limitUsd ?? 0, sum) * 1.15);
  const step = inner.width / hours.length;
  const y = (value: number) => bottom - (value / max) * inner.height;
  const points = sums.map((value, hour) => `L${size.left + (hour + 1) * step},${y(value)}`).join('');
  const end = size.left + begun.length * step;
  return (
    <figure class="chart">
      <figcaption>Cash won against the limit</figcaption>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Cash won: ${usdText(sum)}${limitUsd === undefined ? '' : ` of a limit of ${usdText(limitUsd)}`}`}
      >
        <Axes max={max} text={usdText} hours={hours} />
        <path class="area" d={`M${size.left},${bottom}${points}L${end},${bottom}Z`} />
        <path class="curve" d={`M${size.left},${bottom}${points}`} />
        {limitUsd !== undefined && (
          <>
            <line class="limit" x1={size.left} x2={right} y1={y(limitUsd)} y2={y(limitUsd)} />
            <text class="limit" x={right} y={y(limitUsd) - 5} text-anchor="end">
              Limit {usdText(limitUsd)}
            </text>
          </>
        )}
      </svg>
    </figure>
  );
}

/** Chart of the number of plays in each hour, as stacked bars: regular plays below, free spins above. */
export function PlaysChart({ hours }: { hours: Hour[] }) {
  const max = roundUp(Math.max(...hours.map(({ regular, amoe }) => regular + amoe)));
  const step = inner.width / hours.length;
  const heightOf = (value: number) => (value / max) * inner.height;
  const total = (playType: 'regular' | 'amoe') => hours.reduce((sum, hour) => sum + hour[playType], 0);
  return (
    <figure class="chart">
      <figcaption>
        Plays by the hour <span class="key regular">Regular</span> <span class="key amoe">AMOE</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Plays: ${numberText(total('regular'))} regular, ${numberText(total('amoe'))} by AMOE`}
      >
        <Axes max={max} text={numberText} hours={hours} />
        {hours.map(({ from, regular, amoe }, hour) => {
          const x = size.left + hour * step + 2;
          const width = step - 4;
          return (
            <g key={from}>
              <title>{`${hourText(from)}:00, ${regular} regular, ${amoe} AMOE`}</title>
              <rect
                class="regular"
                x={x}
                width={width}
                y={bottom - heightOf(regular)}
                height={heightOf(regular)}
              />
              <rect
                class="amoe"
                x={x}
                width={width}
                y={bottom - heightOf(regular + amoe)}
                height={heightOf(amoe)}
              />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
