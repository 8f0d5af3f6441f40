import { JsonText } from '../ui/json-text.tsx';

/** Shows the reporter's metadata, unchanged. */
export const Metadata = ({ metadata }: { metadata: Readonly<Record<string, unknown>> }) => (
  <section aria-label="Metadata">
    <h3 className="mb-1 text-sm">Metadata</h3>
    <JsonText label="Metadata as JSON" value={metadata} />
  </section>
);
