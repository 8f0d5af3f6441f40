import type { Place } from '@countersign/protocol/vault/credential-use';
import { legible } from '../ui/legible.ts';

/** Where a secret goes, in words. Names of fields and paths are another party's text. */
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
