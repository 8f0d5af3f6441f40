import type { AnswerOf } from '../api/endpoint.ts';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { SpendingChart } from './spending-chart.tsx';

export type Overview = AnswerOf<'GET /api/overview'>;
export type Day = Overview['daily'][number];

const columns: readonly Column<Day>[] = [
  { name: 'Day', cell: ({ day }) => <time dateTime={day}>{day}</time> },
  { name: 'Payments', figures: true, cell: ({ count }) => count },
  { name: 'Spent', figures: true, cell: ({ spent }) => <Money amount={spent} /> },
];

/** What was spent today, this month and on each of the last 30 days. Days and months are those of UTC. */
export function Spending({ today, month, daily }: Overview) {
  return (
    <>
      <dl className="flex flex-wrap gap-x-14 gap-y-4 px-5 pt-5">
        <Sum name="Today" {...today} />
        <Sum name="This month" {...month} />
      </dl>
      <div className="px-5 pb-4 pt-5">
        <SpendingChart days={daily} />
      </div>
      <details className="border-t border-line text-sm">
        <summary className="px-5 py-3 text-muted hover:text-ink focus-visible:-outline-offset-2">
          The 30 days as a table
        </summary>
        <Table
          caption="Spent on each of the last 30 days, newest first"
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
