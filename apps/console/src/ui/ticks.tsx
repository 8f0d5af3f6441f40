import { CircleCheck, CircleX } from 'lucide-react';

export type Tick = { readonly says: string; readonly holds: boolean };

/** Sentences that hold or do not, for the eye and for the ear. */
export function Ticks({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <ul className="grid gap-1.5 text-sm">
      {ticks.map(({ says, holds }) => (
        <li key={says} className={`flex items-start gap-2 ${holds ? 'text-ok' : 'text-bad'}`}>
          {holds ? (
            <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          ) : (
            <CircleX aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          )}
          <span className="min-w-0 text-pretty">
            {says}
            {!holds && ': no'}
          </span>
        </li>
      ))}
    </ul>
  );
}
