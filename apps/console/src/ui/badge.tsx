import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type BadgeTone = 'plain' | 'accent' | 'ok' | 'warn' | 'bad';

const looks: Readonly<Record<BadgeTone, string>> = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-tint text-accent-ink',
  ok: 'bg-ok-tint text-ok',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
};

/** Shows a state in one word. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-sm px-1.5 text-xs font-medium leading-5 whitespace-nowrap',
        looks[tone],
      )}
    >
      {children}
    </span>
  );
}
