import { useId } from 'react';

type Props<T extends string> = {
  readonly label: string;
  readonly names: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (value: T) => void;
};

/** A few possibilities of which one holds, side by side. */
export function Choice<T extends string>({ label, names, value, onChoose }: Props<T>) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm">
      <legend className="float-left text-muted">{label}</legend>
      <div className="flex flex-wrap rounded-md border border-line p-0.5">
        {(Object.entries(names) as [T, string][]).map(([each, name]) => (
          <label
            key={each}
            className="cursor-pointer rounded-sm px-2.5 py-1 text-muted has-checked:bg-accent-tint has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name={group}
              checked={value === each}
              onChange={() => onChoose(each)}
              className="sr-only"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
