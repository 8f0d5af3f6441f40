import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { refresh } from '../api/queries.ts';
import { classNames } from './class-names.ts';
import { Time } from './time.tsx';

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}

const wholeSeconds = (): number => Math.floor(Date.now() / 1000);

const hour = 3600;
const soon = 120;

type Props = {
  /** ISO 8601. */
  readonly until: string;
  /** The queries to refresh when the time is up; must be the same array each time. */
  readonly outdates: readonly `/${string}`[];
};

/** Counts down to an end, and asks for what that changes. */
export function TimeLeft({ until, outdates }: Props) {
  const queries = useQueryClient();
  const left = Math.floor(Date.parse(until) / 1000) - useSyncExternalStore(everySecond, wholeSeconds);
  const over = left <= 0;
  useEffect(() => {
    if (over) void refresh(queries, ...outdates);
  }, [over, queries, outdates]);
  if (over) return <span className="text-muted">Time is up</span>;
  if (left >= hour) {
    return (
      <span className="text-muted">
        expires <Time at={until} as="relative" />
      </span>
    );
  }
  const seconds = String(left % 60).padStart(2, '0');
  return (
    <time
      dateTime={until}
      title={new Date(until).toString()}
      className={classNames(
        'figures whitespace-nowrap',
        left < soon ? 'font-medium text-warn' : 'text-muted',
      )}
    >
      {Math.floor(left / 60)}:{seconds} left
    </time>
  );
}
