import { randomBytes } from 'node:crypto';
import type { Place } from '@countersign/protocol/control/openapi/place';
import type { Run } from '../connector-runs/connector.ts';
import type { HttpAsk } from '../../channel/connector.ts';
import type { HttpRequest } from './exchange.ts';

/** Headers of the connection and of the message framing, which a connector may never set (RFC 9110, 7.6). */
export const ours =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|via|forwarded|accept-encoding|proxy-.*|x-forwarded-.*|idempotency-key|countersign-.*)$/i;

/**
 * The run that a request is sent for. `isAction`: it performs the approved action, so it carries the token
 * and statement.
 */
type Sent = Pick<Run, 'executionId' | 'token' | 'statement'> & { readonly isAction: boolean };

export type Composed = HttpRequest & { readonly decoy: string };

/** The request that is sent for a connector, with a decoy where the credential stands. */
export function compose(
  { method, url: asked, headers }: HttpAsk,
  body: Uint8Array,
  place: Place | null,
  { executionId, token, statement, isAction }: Sent,
): Composed {
  const url = new URL(asked);
  const decoy = `decoy-${randomBytes(16).toString('hex')}`;
  const kept = Object.entries(headers).filter(([name]) => !ours.test(name) && !isPlace(place, name));
  if (place?.in === 'query') putIntoQuery(url, place.name, decoy);
  return {
    method,
    path: url.pathname + url.search,
    headers: [
      ['host', url.host],
      ['connection', 'close'],
      ...withCookie(kept, place, decoy),
      ...(place?.in === 'header' ? [[place.name, `${place.prefix}${decoy}`] as const] : []),
      ['idempotency-key', executionId],
      ...(isAction
        ? ([
            ['countersign-action-token', token],
            ['countersign-action-statement', statement],
          ] as const)
        : []),
      ...(body.length > 0 || /^(POST|PUT|PATCH)$/.test(method)
        ? [['content-length', String(body.length)] as const]
        : []),
    ],
    body,
    decoy,
  };
}

/** A header that says who asks is the broker's alone, wherever the credential stands. */
const isPlace = (place: Place | null, name: string): boolean =>
  place !== null &&
  (/^authorization$/i.test(name) ||
    (place.in === 'header' && name.toLowerCase() === place.name.toLowerCase()));

function putIntoQuery(url: URL, name: string, decoy: string): void {
  url.searchParams.delete(name);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${encodeURIComponent(name)}=${decoy}`;
}

type Pair = readonly [name: string, value: string];

function withCookie(headers: readonly Pair[], place: Place | null, decoy: string): Pair[] {
  if (place?.in !== 'cookie') return [...headers];
  const isCookie = ([name]: Pair) => name.toLowerCase() === 'cookie';
  const others = headers
    .filter(isCookie)
    .flatMap(([, value]) => value.split(/;\s*/))
    .filter((one) => !one.startsWith(`${place.name}=`));
  return [
    ...headers.filter((one) => !isCookie(one)),
    ['cookie', [...others, `${place.name}=${decoy}`].join('; ')],
  ];
}
