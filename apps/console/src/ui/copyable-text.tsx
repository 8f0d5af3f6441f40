import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

type Props = {
  /** The accessible name. */
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
  /** A long one is scrolled instead. */
  readonly whole?: boolean;
};

/** Text as it stands, nothing hidden at its side, and one press away from the clipboard. */
export function CopyableText({ label, text, copyLabel, whole = false }: Props) {
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
        <CopyButton text={text} label={copyLabel} />
      </div>
    </div>
  );
}
