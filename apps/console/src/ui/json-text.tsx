import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { legible } from './legible.ts';

type Props = {
  /** What it is, for whoever cannot see it. */
  readonly label: string;
  readonly value: unknown;
  /** All of it at once, however long: where somebody decides about it. */
  readonly whole?: boolean;
};

/** JSON for people: indented, nothing hidden at its side, and one press away from the clipboard. */
export function JsonText({ label, value, whole = false }: Props) {
  const text = legible(JSON.stringify(value, null, 2));
  return (
    <div className="relative min-w-0">
      <pre
        // A scrollable region must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        className={classNames(
          'rounded-md border border-line py-3 pl-4 pr-12 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]',
          whole ? 'bg-sunken' : 'goes-on max-h-80 overflow-auto',
        )}
      >
        {text}
      </pre>
      <div className="absolute right-2 top-1.5">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}
