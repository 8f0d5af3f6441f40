import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = {
  readonly icon: LucideIcon;
  readonly title: string;
  /** The next step. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** Stands where data would: nothing here yet, nothing to see, something went wrong. */
export function Message({ icon: Icon, title, action, children }: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-10 place-items-center rounded-lg border border-line bg-surface text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="mt-4 font-semibold">{title}</p>
      <div className="mt-1 max-w-[44ch] text-sm text-pretty text-muted">{children}</div>
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}
