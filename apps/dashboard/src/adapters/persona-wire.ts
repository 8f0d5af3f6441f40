import { askVendor, below, type VendorAnswer } from './ask-vendor.ts';
import type { Unavailable } from '../screening/ports.ts';

/** Where Persona is asked, and as whom. */
export type PersonaAccess = { readonly url: URL; readonly apiKey: string };

/** Version of the API that our schemas are of; without it an account's default would decide. */
const version = '2026-09-29';

/** The newest of what is listed at this path under these filters. */
export function listNewest(
  access: PersonaAccess,
  path: string,
  filters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<VendorAnswer | Unavailable> {
  const url = below(access.url, path);
  for (const [name, value] of Object.entries(filters)) url.searchParams.set(`filter[${name}]`, value);
  url.searchParams.set('page[size]', '1');
  return askVendor({ method: 'GET', url, headers: headersOf(access) }, signal);
}

const headersOf = ({ apiKey }: PersonaAccess) => ({
  authorization: `Bearer ${apiKey}`,
  'persona-version': version,
  'key-inflection': 'kebab',
});

/** `once`: the same key makes the same thing, however often it is sent. */
export const post = (
  access: PersonaAccess,
  path: string,
  { body, once }: { readonly body: object; readonly once?: string },
  signal: AbortSignal,
): Promise<VendorAnswer | Unavailable> =>
  askVendor(
    {
      method: 'POST',
      url: below(access.url, path),
      headers: {
        ...headersOf(access),
        'content-type': 'application/json',
        ...(once !== undefined && { 'idempotency-key': once }),
      },
      body: JSON.stringify(body),
      statuses: [200, 201],
    },
    signal,
  );
