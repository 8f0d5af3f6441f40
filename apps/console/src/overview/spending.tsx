import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import type { Day, Overview } from './overview.ts';
import { SpendingChart } from './spending-chart.tsx';

const columns: readonly Column<Day>[] = [
  { name: 'Day (UTC)', cell: ({ day }) => <time dateTime={day}>{day}</time> },
  { name: 'Payments', figures: true, cell: ({ count }) => count },
  { name: 'Spent', figures: true, cell: ({ spent }) => <Money amount={spent} /> },
];

/** Shows the spending of today, this month and each of the last 30 days, in UTC. */
export function Spending({ today, month, daily }: Overview) {
  return (
    <>
      <dl className="flex flex-wrap gap-x-14 gap-y-4 px-5 pt-5">
        <Sum name="Today (UTC)" {...today} />
        <Sum name="This month (UTC)" {...month} />
      </dl>
      <div className="px-5 pb-4 pt-5">
        <SpendingChart days={daily} />
      </div>
      <details className="border-t border-line text-sm">
        <summary className="px-5 py-3 text-muted hover:text-ink focus-visible:-outline-offset-2">
          View as a table
        </summary>
        <Table
          caption="Daily spending in the last 30 days, newest first"
          columns={columns}
          rows={daily.toReversed()}
          keyOf={({ day }) => day}
        />
      </details>
    </>
  );
}

function Sum({ name, spent, count }: { name: string; spent: string; count: number }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-medium tracking-tight">
        <Money amount={spent} />
      </dd>
      <dd className="figures text-sm text-muted">
        {count} {count === 1 ? 'payment' : 'payments'}
      </dd>
    </div>
  );
}
