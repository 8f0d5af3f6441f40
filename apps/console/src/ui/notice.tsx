import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Tone = 'plain' | 'ok' | 'warn' | 'bad';

const looks = {
  plain: { icon: Info, look: 'bg-sunken text-muted' },
  ok: { icon: CircleCheck, look: 'bg-ok-tint text-ok' },
  warn: { icon: TriangleAlert, look: 'bg-warn-tint text-warn' },
  bad: { icon: CircleAlert, look: 'bg-bad-tint text-bad' },
} as const;

/** A sentence that stands in the page. Bad news is announced at once. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  const { icon: Icon, look } = looks[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('flex gap-2.5 rounded-md px-3.5 py-3 text-sm', look)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
