import type { Place } from '@countersign/protocol/vault/credential-use';
import { legible } from '../ui/legible.ts';

/** Describes where a secret goes. Names of fields and paths are untrusted text. */
export function PlaceInWords({ place: { origin, path, method, field } }: { place: Place }) {
  const address = <code className="font-mono text-xs">{legible(origin + path)}</code>;
  const name = <code className="font-mono text-xs">{legible(field)}</code>;
  return (
    <span className="[overflow-wrap:anywhere]">
      {method === 'UNSAID' ? (
        <>
          field {name} of {address}, which the page sends from a script
        </>
      ) : (
        <>
          field {name} → {method} {address}
        </>
      )}
    </span>
  );
}
