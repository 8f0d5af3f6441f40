import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Views of one list, as links: the choice stands in the address. `TabLink` inside. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-5 overflow-x-auto border-b border-line px-5">
      {children}
    </nav>
  );
}

const look =
  'inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-muted whitespace-nowrap ' +
  'hover:text-ink aria-[current]:border-accent-ink aria-[current]:font-medium aria-[current]:text-ink ' +
  'focus-visible:-outline-offset-2';

type Props = {
  readonly search: Readonly<Record<string, unknown>>;
  /** Whether it is the view shown; without it, the address as a whole must be the same. */
  readonly current?: boolean;
  readonly children: ReactNode;
};

/** The same page with these search parameters. */
export function TabLink({ search, current, children }: Props) {
  return (
    <Link
      to="."
      search={search as never}
      activeOptions={{ exact: true, includeSearch: true }}
      activeProps={{ 'aria-current': current === false ? undefined : 'page' }}
      aria-current={current === true ? 'page' : undefined}
      className={look}
    >
      {children}
    </Link>
  );
}
