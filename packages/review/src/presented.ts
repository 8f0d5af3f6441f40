import { isUrl } from '@countersign/protocol/url';
import { isSamePlace, place as onePlace, type Place } from '@countersign/protocol/vault/credential-use';
import type { Observation, Review } from './observation.ts';
import type { PlaceFacts } from './place.ts';
import { bodyOf } from './request/body.ts';
import { requestFactsOf } from './request/facts.ts';
import type { SentRequest } from './request/seen.ts';
import { encoded } from './script/pieces.ts';
import { readScript, type ScriptReading } from './script/read.ts';
import type { PresentedRequest } from './script/request.ts';

/** A script as it would run in that page. Its presentations are resolved, so that what was judged is what is sent. */
export function readScriptAt(source: string, pageUrl: string): ScriptReading {
  const reading = readScript(source);
  if (reading.kind !== 'presents') return reading;
  const requests = reading.requests.map((request) =>
    isUrl(request.url, pageUrl) ? { ...request, url: new URL(request.url, pageUrl).href } : request,
  );
  return { ...reading, requests };
}

/** Where presentations let a credential go. Null for several places, and where a query of the agent says more than the path. */
export function presentedPlace(
  requests: readonly PresentedRequest[],
  { credential, observation }: Review,
  mask: (text: string) => string,
): PlaceFacts | null {
  const [to = null, ...others] = requests.map((request) => placeOf(request, observation));
  const isOne = others.every((other) => other !== null && to !== null && isSamePlace(other, to));
  if (credential === null || to === null || !isOne) return null;
  const uses = credential.uses ?? [];
  return {
    ...to,
    origin: mask(to.origin),
    path: mask(to.path),
    field: mask(to.field),
    known: uses === 'agreed' || uses.some((use) => isSamePlace(use, to)),
    looksLikeLogin: false,
    touched: observation.touched,
  };
}

/** Which kinds of act a presentation names, and what it is for: to carry a credential does not make it a log-in. */
export function presentedActs(request: PresentedRequest, { task, approval, observation }: Review) {
  const { kinds, purpose } = requestFactsOf(sentOf(request, observation), { task, approval }, (text) => text);
  return { kinds, purpose };
}

function placeOf(request: PresentedRequest, observation: Observation): Place | null {
  if (!isUrl(request.url)) return null;
  const { origin, pathname, search } = new URL(request.url);
  const { body, contentType } = sentOf(request, observation);
  const members = bodyOf(body, contentType).members.filter(({ value }) => value.includes(stands));
  const names = [...new Set(members.map(({ name }) => name))].toSorted();
  const { method } = request;
  const found = onePlace.safeParse({ origin, path: pathname, method, field: names.join(',') || 'script' });
  return found.success && search === '' ? found.data : null;
}

/** Stands in a body for what nobody has opened yet. */
const stands = 'credential-of-its-owner';

const sentOf = (
  { url, method, headers, body }: PresentedRequest,
  { url: pageUrl }: Observation,
): SentRequest => ({
  method,
  url,
  resource: 'fetch',
  contentType: headers['content-type'] ?? 'text/plain',
  body: body
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : piece.layers.reduce((text, layer) => encoded[layer](text), `"${stands}"`),
    )
    .join(''),
  carriesCredential: false,
  pageUrl,
});
