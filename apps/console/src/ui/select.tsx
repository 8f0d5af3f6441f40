import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';

type Props = Omit<ComponentProps<'select'>, 'id'> & {
  readonly label: string;
  /** Value and name of each possibility, in the order in which they are shown. */
  readonly options: readonly (readonly [value: string, name: string])[];
  /** What is wrong and how to correct it; null if nothing is. */
  readonly error?: string | null;
};

/** A labelled choice of one among many: the browser's own list. */
export function Select({ label, options, error = null, className, ...select }: Props) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="relative mt-1.5">
        <select
          {...select}
          id={id}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${id}-error`}
          className={classNames(
            'min-h-10 w-full appearance-none rounded-md border bg-surface pl-3 pr-9 text-ink',
            error === null ? 'border-line-strong' : 'border-bad',
          )}
        >
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute right-3 top-3 size-4 text-muted"
        />
      </div>
      {error !== null && (
        <p id={`${id}-error`} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
