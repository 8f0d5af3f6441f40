import { isUrl } from '@countersign/protocol/url';
import type { PresentedRequest } from '@countersign/review/script/request';
import type { Layer } from '@countersign/review/script/pieces';
import type { Secret } from './browser.ts';
import { maySend } from './decoy/binding.ts';
import { type Encoding, formUrl, jsonString, plain, uriComponent } from './decoy/encodings.ts';
import { type Fill, type Part, type Presentation, typedOf } from './decoy/fills.ts';
import type { Frame } from './frames.ts';
import { OperationFailed } from './problem.ts';
import type { Evaluated } from './protocol.ts';
import { limits, maxText } from './limits.ts';
import type { PresentedResponse } from './presented-response.ts';
import type { Stage } from './stage.ts';

/**
 * Sends the presentations of a reviewed script, in order, from the page's own origin with its cookies. The page's side of it
 * holds decoys: the gate puts the credential into exactly this request. `secrets` are those of all placeholders of the script.
 */
export async function present(
  stage: Stage,
  requests: readonly PresentedRequest[],
  secrets: readonly Secret[],
): Promise<PresentedResponse[]> {
  const responses: PresentedResponse[] = [];
  for (const request of requests)
    responses.push(await withoutSecrets(stage, await send(stage, request, secrets)));
  return responses;
}

/** A site may say of it what nobody has masked on the way: other secrets, or the same in other words. */
async function withoutSecrets({ mask }: Stage, response: PresentedResponse): Promise<PresentedResponse> {
  const headers = Object.entries(response.headers);
  const texts = [response.url, response.body, ...headers.map(([, value]) => value)];
  const [url = '', body = '', ...values] = await mask(texts, response.url);
  return {
    ...response,
    url,
    body,
    headers: Object.fromEntries(headers.map(([name], i) => [name, values[i] ?? ''])),
  };
}

async function send(
  stage: Stage,
  request: PresentedRequest,
  secrets: readonly Secret[],
): Promise<PresentedResponse> {
  const { driver, fills } = stage;
  const frame = driver.mainFrame();
  if (!isUrl(request.url, frame.url)) throw new OperationFailed('out_of_scope');
  const { href: url } = new URL(request.url, frame.url);
  const presentation = await prepare(stage, frame, { ...request, url }, secrets);
  fills.presentations.add(presentation);
  try {
    const { method, headers, credentials } = request;
    const body = presentation.body.toString();
    const init = JSON.stringify({ method, headers, credentials, body });
    return await fetchIn(stage, frame, `fetch(${JSON.stringify(url)}, ${init})`);
  } finally {
    fills.presentations.delete(presentation);
  }
}

const encodings: Readonly<Record<Layer, Encoding>> = { json: jsonString, form: formUrl, uri: uriComponent };

const encodingOf =
  (layers: readonly Layer[]): Encoding =>
  (bytes) =>
    layers.reduce<Buffer>((inner, layer) => {
      const outer = encodings[layer](inner);
      inner.fill(0);
      return outer;
    }, plain(bytes));

/** The body with decoys, and where in it they stand. */
async function prepare(
  { fills, scope }: Stage,
  { id: frameId, loaderId, url: pageUrl }: Frame,
  { url, method, body: pieces }: PresentedRequest,
  secrets: readonly Secret[],
): Promise<Presentation> {
  const places: Presentation['places'][number][] = [];
  const written: Buffer[] = [];
  let start = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') written.push(Buffer.from(piece));
    else {
      const secret = secrets[piece.placeholder];
      if (secret === undefined || !maySend(secret, scope, url)) throw new OperationFailed('out_of_scope');
      const parts: Part[] | null = await fills.partsOf([secret]);
      if (parts === null) throw new OperationFailed('not_permitted');
      const [typed, encoding] = [typedOf(parts), encodingOf(piece.layers)];
      const decoy = encoding(Buffer.from(typed));
      const { origin } = new URL(pageUrl);
      const fill: Fill = { parts, typed, frameId, loaderId, origin, field: null, sentTo: null };
      places.push({ field: { name: '', value: typed, start, end: start + decoy.length, encoding }, fill });
      written.push(decoy);
    }
    start += written.at(-1)?.length ?? 0;
  }
  return { url, method, frameId, loaderId, body: Buffer.concat(written), places };
}

/** Fetches from an isolated world, whose `fetch` the page cannot have replaced. */
async function fetchIn({ driver }: Stage, frame: Frame, call: string): Promise<PresentedResponse> {
  const { id: frameId, sessionId } = frame;
  const making = driver.send<{ executionContextId: number }>(sessionId, 'Page.createIsolatedWorld', {
    frameId,
    worldName: 'presentation',
  });
  const { executionContextId: contextId } = await driver.inTime(sessionId, limits.element, making);
  const expression = `(async () => { const answer = await ${call}; const body = await answer.text();
    if (body.length > ${maxText}) throw 0;
    const {url, status} = answer;
    return {url, status, headers: Object.fromEntries(answer.headers), body} })()`;
  const sending = driver.send<Evaluated>(sessionId, 'Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  const { result, exceptionDetails } = await driver.inTime(sessionId, limits.script, sending);
  if (exceptionDetails !== undefined) throw new OperationFailed('script_failed', unanswered);
  return result.value as PresentedResponse;
}

const unanswered =
  'The presentation was not answered: the site did not answer, sent it elsewhere, or may not be asked from this page.';
