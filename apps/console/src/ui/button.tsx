import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink hover:bg-sunken border-line',
  quiet: 'bg-transparent text-ink hover:bg-sunken border-transparent',
  danger: 'bg-surface text-bad hover:bg-bad-tint border-line',
};

/** Returns the classes of a button, for links that look like one. */
export const buttonLook = (kind: Kind = 'plain', more?: string): string =>
  classNames(
    'inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 text-sm font-medium',
    'whitespace-nowrap transition-colors disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
    looks[kind],
    more,
  );

type Props = Omit<ComponentProps<'button'>, 'type'> & {
  readonly kind?: Kind;
  readonly submit?: boolean;
  /** While true it cannot be pressed again, and says so. */
  readonly busy?: boolean;
  readonly children: ReactNode;
};

/** A button. One `primary` a view. */
export function Button({
  kind = 'plain',
  submit = false,
  busy = false,
  className,
  children,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={buttonLook(kind, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
