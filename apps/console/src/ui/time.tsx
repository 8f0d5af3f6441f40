import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;
let minutes = 0;

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(() => {
    minutes += 1;
    listener();
  }, minuteMs);
  return () => clearInterval(timer);
}

/** The time in ms, and again each minute: whatever shows how long something takes or lasts stays true. */
export function useNow(): number {
  useSyncExternalStore(everyMinute, () => minutes);
  return Date.now();
}

const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const steps = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const;

/** `in 29 days`, `2 hours ago`, `now`. Cut off, never rounded up: what ends in 90 minutes ends in 1 hour. */
function relativeText(at: string, from: number): string {
  const distance = Date.parse(at) - from;
  for (const [unit, size] of steps) {
    if (Math.abs(distance) >= size) return relative.format(Math.trunc(distance / size), unit);
  }
  return 'now';
}

type Props = {
  /** ISO 8601. */
  readonly at: string;
  readonly as?: 'moment' | 'day' | 'relative';
};

/** A time in the reader's own zone; its exact form is in the title. */
export function Time({ at, as = 'moment' }: Props) {
  const from = useNow();
  const date = new Date(at);
  const text =
    as === 'relative' ? relativeText(at, from) : as === 'day' ? day.format(date) : whole.format(date);
  return (
    <time dateTime={at} title={date.toString()} className="figures whitespace-nowrap">
      {text}
    </time>
  );
}
