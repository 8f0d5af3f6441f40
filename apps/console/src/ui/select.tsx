import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';

type Props = Omit<ComponentProps<'select'>, 'id'> & {
  readonly label: string;
  /** Value and name of each possibility, in the order in which they are shown. */
  readonly options: readonly (readonly [value: string, name: string])[];
};

/** A labelled choice of one among many: the browser's own list. */
export function Select({ label, options, className, ...select }: Props) {
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
          className="min-h-10 w-full appearance-none rounded-md border border-line-strong bg-surface pl-3 pr-9 text-ink"
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
    </div>
  );
}
