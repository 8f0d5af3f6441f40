import { CopyButton } from '../ui/copy-button.tsx';

/** What the reporter added, as it is. */
export function Metadata({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const text = JSON.stringify(metadata, null, 2);
  return (
    <section aria-label="Metadata">
      <h3 className="flex items-center justify-between gap-4 text-sm">
        Metadata
        <CopyButton text={text} label="Copy metadata" />
      </h3>
      <pre
        // A scrollable region must be reachable by keyboard.
        tabIndex={0}
        className="mt-1 max-h-72 overflow-auto rounded-md bg-sunken px-3.5 py-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
      >
        {text}
      </pre>
    </section>
  );
}
