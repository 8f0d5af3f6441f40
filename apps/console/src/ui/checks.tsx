import { useId } from 'react';

type Props<T extends string> = {
  readonly label: string;
  /** Value and what it means, in the order in which they are shown. */
  readonly options: readonly (readonly [value: T, meaning: string])[];
  /** Returns a label, where the value itself is not readable. */
  readonly nameOf?: (value: T) => string;
  readonly chosen: readonly T[];
  readonly error: string | null;
  readonly onChange: (chosen: readonly T[]) => void;
};

/** A few possibilities of which any number holds, one below the other. */
export function Checks<T extends string>({ label, options, nameOf, chosen, error, onChange }: Props<T>) {
  const id = useId();
  const toggle = (value: T, on: boolean) =>
    onChange(options.flatMap(([each]) => ((each === value ? on : chosen.includes(each)) ? [each] : [])));
  return (
    <fieldset aria-describedby={error === null ? undefined : id}>
      <legend className="text-sm font-medium">{label}</legend>
      <div className="mt-1.5 grid divide-y divide-line rounded-md border border-line-strong">
        {options.map(([value, meaning], index) => (
          <label key={value} className="flex cursor-pointer items-start gap-3 px-3 py-2.5 hover:bg-sunken">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              // The first stands for the whole, so that the focus can be led to it.
              aria-invalid={(error !== null && index === 0) || undefined}
              onChange={({ target }) => toggle(value, target.checked)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              {nameOf === undefined ? (
                <span className="block font-mono text-sm">{value}</span>
              ) : (
                <span className="block text-sm [overflow-wrap:anywhere]">{nameOf(value)}</span>
              )}
              <span className="block text-sm text-pretty text-muted [overflow-wrap:anywhere]">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
      {error !== null && (
        <p id={id} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
