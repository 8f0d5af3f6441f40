import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

type Props = Omit<ComponentProps<'input'>, 'id'> & {
  readonly label: string;
  /** One line below the label: what the value does. */
  readonly hint?: string;
  /** What is wrong and how to put it right; null when nothing is. */
  readonly error?: string | null;
  /** Shown after the value: a unit, a currency. */
  readonly unit?: ReactNode;
};

/** A labelled text input with its hint and its error. */
export function Field({ label, hint, error = null, unit, className, ...input }: Props) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`].filter(Boolean);
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <div
        className={classNames(
          'mt-1.5 flex min-h-10 items-center rounded-md border bg-surface',
          'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-ink',
          error === null ? 'border-line-strong' : 'border-bad',
        )}
      >
        <input
          {...input}
          id={id}
          aria-invalid={error !== null || undefined}
          aria-describedby={described.length > 0 ? described.join(' ') : undefined}
          className="figures min-w-0 flex-1 bg-transparent px-3 py-2 outline-none"
        />
        {unit !== undefined && <span className="pr-3 text-sm text-muted">{unit}</span>}
      </div>
      {error !== null && (
        <p id={`${id}-error`} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
