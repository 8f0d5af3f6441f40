import { parseAmount, zero } from '@countersign/protocol/decimal';
import { Money, moneyText } from '../ui/money.tsx';
import { share } from '../ui/share.ts';
import type { Day } from './overview.ts';

const [step, gap, height] = [20, 4, 120];

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** A day of UTC, in the reader's words but not in the reader's zone. */
const dayText = (day: string): string => (day === '' ? '' : date.format(new Date(day)));

const largest = (days: readonly Day[]): string =>
  days.reduce(
    (most, { spent }) => ((parseAmount(spent) ?? zero) > (parseAmount(most) ?? zero) ? spent : most),
    '0',
  );

/** Shows a bar for each day. Screen readers get the sum; the table below has every day. */
export function SpendingChart({ days }: { days: readonly Day[] }) {
  const top = largest(days);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  if (top === '0') return <p className="py-6 text-sm text-muted">No spending in the last 30 days.</p>;
  return (
    <figure>
      <p className="mb-1 text-right text-xs text-muted">
        highest day: <Money amount={top} />
      </p>
      <svg
        role="img"
        aria-label={`Daily spending from ${first} to ${last}, highest day ${moneyText(top)} USDC`}
        viewBox={`0 0 ${days.length * step - gap} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full"
      >
        {days.map((day, index) => (
          <Bar key={day.day} day={day} x={index * step} top={top} />
        ))}
      </svg>
      <figcaption className="figures mt-1.5 flex justify-between border-t border-line pt-1.5 text-xs text-muted">
        <time dateTime={first}>{dayText(first)}</time>
        <time dateTime={last}>{dayText(last)}, UTC</time>
      </figcaption>
    </figure>
  );
}

/** A day without spending keeps its place; the smallest spending can still be seen. */
function Bar({ day: { day, spent, count }, x, top }: { day: Day; x: number; top: string }) {
  const tall = count === 0 ? 2 : Math.max(3, (share(spent, top) * height) / 1000);
  return (
    <rect
      x={x}
      y={height - tall}
      width={step - gap}
      height={tall}
      className={count === 0 ? 'fill-line' : 'fill-accent'}
    >
      <title>{`${day}: ${moneyText(spent)} USDC, ${count} payments`}</title>
    </rect>
  );
}
