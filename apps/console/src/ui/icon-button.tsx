import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Props = Omit<ComponentProps<'button'>, 'type' | 'aria-label'> & {
  readonly label: string;
  readonly children: ReactNode;
};

/** A button that shows only an icon, and says its label. */
export function IconButton({ label, className, children, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink [&_svg]:size-4',
        className,
      )}
    >
      {children}
    </button>
  );
}
