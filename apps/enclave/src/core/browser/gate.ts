import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Alarm, SecretName } from './browser.ts';
import { stringOf } from './cdp/raw.ts';
import {
  bodyOf as sentBody,
  isBodyThere,
  type Judgement,
  judgeRequest,
  maySend,
  withoutPlaces,
} from './decoy/binding.ts';
import { bodyWith, type Opened, withSecrets } from './decoy/deliver.ts';
import { maskEcho } from './decoy/echo.ts';
import { base64, fromBase64 } from './decoy/encodings.ts';
import { type Fill, type Fills, markSent } from './decoy/fills.ts';
import type { Driver } from './driver.ts';
import type { Hold } from './hold.ts';
import { isLocal, withoutQuery } from './network.ts';
import type { PausedRequest } from './protocol.ts';
import type { PutFields } from './put-fields.ts';
import type { SentRequests } from './sent.ts';

export type GateOptions = {
  /** What a decision is made from and carried out by; it leads to no other decision. */
  readonly driver: () => Pick<Driver, 'frames' | 'network' | 'send'>;
  readonly fills: Fills;
  readonly hold: Hold;
  readonly sent: SentRequests;
  readonly put: PutFields;
  readonly scope: readonly UrlPattern[];
  /** Whether the agent had a hand in a document, by loader. */
  readonly isTouched: (loaderId: string) => boolean;
  readonly onAlarm: (alarm: Alarm) => void;
};

type Delivery = Judgement & { readonly kind: 'deliver' };
type Clean = Judgement & { readonly kind: 'clean' };

/** How long an answer may take to begin until the secret that was sent is forgotten, in milliseconds. */
const answerLimit = 15_000;

/** Lets requests within scope pass, fails the others, and puts secrets into those that are bound. */
export class RequestGate {
  readonly #options: GateOptions;
  /** Answers that are waited for, by request. */
  readonly #awaited = new Map<string, (paused: PausedRequest | null) => void>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** `onTurnedDown` is called, at once or later, where it is out of scope or was judged not to be sent. */
  pass(sessionId: string, paused: PausedRequest, onTurnedDown: () => void): void {
    if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined)
      return this.#answered(sessionId, paused);
    const { url } = paused.request;
    if (isLocal(url) || allowsUrl(this.#options.scope, url))
      return this.#passInScope(sessionId, paused, onTurnedDown);
    this.#driver.network.refuse(sessionId, paused);
    onTurnedDown();
  }

  #passInScope(sessionId: string, paused: PausedRequest, onTurnedDown: () => void): void {
    const delivery = this.#check(sessionId, paused);
    if (delivery === null) return;
    const isReviewed = delivery.kind === 'deliver' && delivery.isPresentation;
    const isJudged = delivery.kind === 'deliver' || this.#options.sent.isJudged(paused);
    if (isReviewed || !isJudged) {
      this.#send(sessionId, paused, delivery).catch(() => undefined);
      return;
    }
    const turnDown = () => {
      this.#driver.network.turnDown(sessionId, paused);
      onTurnedDown();
    };
    this.#judge(sessionId, paused, delivery, turnDown).catch(turnDown);
  }

  /** Null for what is not to be sent, whatever it asks for. */
  #check(sessionId: string, paused: PausedRequest): Delivery | Clean | null {
    const { fills, scope, hold, isTouched } = this.#options;
    const mayNotGo = hold.secrets().some((secret) => !maySend(secret, scope, paused.request.url));
    if (mayNotGo) {
      this.#driver.network.refuse(sessionId, paused);
      return null;
    }
    const frame = this.#driver.frames.get(paused.frameId);
    const sender = frame && { loaderId: frame.loaderId, isTouched: isTouched(frame.loaderId) };
    const judgement = judgeRequest(fills, paused, sender, scope);
    if (judgement.kind === 'clean' || judgement.kind === 'deliver') return judgement;
    this.#alarm(sessionId, paused, judgement.kind === 'alarm' ? 'decoy' : 'own-site');
    return null;
  }

  /** What it was checked for is checked again when it is let go: that may be minutes later. */
  async #judge(
    sessionId: string,
    paused: PausedRequest,
    checked: Delivery | Clean,
    turnDown: () => void,
  ): Promise<void> {
    const { sent, hold, put } = this.#options;
    const fills = checked.kind === 'deliver' ? checked.replacements.map(({ fill }) => fill) : [];
    const secrets = secretsOf(fills);
    const looking = fills.length === 0 ? null : () => put.of(fills);
    // A page that has a secret itself sends it as it is: that is for nobody to read.
    const about = hold.isOn
      ? { carriesCredential: true, body: Buffer.alloc(0), isWhole: true, secrets, looking }
      : {
          carriesCredential: fills.length > 0,
          body: sentBody(paused),
          isWhole: isBodyThere(paused),
          secrets,
          looking,
        };
    const tell = await sent.judge(paused, about);
    if (tell === null) return turnDown();
    const delivery = this.#check(sessionId, paused);
    if (delivery === null) return tell(false);
    try {
      await this.#send(sessionId, paused, delivery);
      tell(true);
    } catch {
      tell(false);
    }
  }

  /** Rejects where the request is gone. */
  async #send(sessionId: string, paused: PausedRequest, delivery: Delivery | Clean): Promise<void> {
    if (delivery.kind === 'clean') {
      if (this.#options.hold.isOn && maySay(paused)) this.#options.hold.tellSent();
      await this.#driver.send(sessionId, 'Fetch.continueRequest', { requestId: paused.requestId });
      return;
    }
    // Marked at once: a second request may come before this one has gone.
    for (const { fill } of delivery.replacements) markSent(fill, paused.request.url);
    try {
      await this.#deliver(sessionId, paused, delivery);
    } catch (error) {
      this.#driver.network.block(sessionId, paused);
      throw error;
    }
  }

  get #driver(): ReturnType<GateOptions['driver']> {
    return this.#options.driver();
  }

  #deliver(sessionId: string, paused: PausedRequest, { body, replacements }: Delivery): Promise<void> {
    return withSecrets(replacements, async (opened) => {
      const whole = bodyWith(body, replacements, opened);
      const slot = { name: 'postData', value: base64(whole) };
      whole.fill(0);
      const answer = this.#awaitAnswer(paused);
      const params = { requestId: paused.requestId, interceptResponse: true };
      await this.#driver.send(sessionId, 'Fetch.continueRequest', params, { slot });
      const response = await answer;
      // A presentation is known to be the enclave's own: no page made it, whatever the site answers.
      const isPresented = replacements.every(({ fill }) => fill.field === null);
      // What the agent itself wrote beside a secret is not compared with it: in the answer it would show what became of it.
      const rest = withoutPlaces(body, replacements);
      const unguessed = opened.filter((one) => maskEcho(rest, [one]) === null);
      if (response !== null) await this.#passAnswer(sessionId, response, unguessed, isPresented);
    });
  }

  #awaitAnswer(paused: PausedRequest): Promise<PausedRequest | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), answerLimit);
      const settle = (response: PausedRequest | null): void => {
        clearTimeout(timer);
        this.#awaited.delete(keyOf(paused));
        resolve(response);
      };
      this.#awaited.set(keyOf(paused), settle);
    });
  }

  #answered(sessionId: string, paused: PausedRequest): void {
    const settle = this.#awaited.get(keyOf(paused));
    if (settle === undefined) this.#continue(sessionId, paused);
    else settle(paused);
  }

  /** The page is shown the decoy where the site says the secret. */
  async #passAnswer(
    sessionId: string,
    paused: PausedRequest,
    opened: readonly Opened[],
    isPresented: boolean,
  ): Promise<void> {
    const { requestId, responseStatusCode = 0 } = paused;
    // The browser would send the body again, the secret in it, wherever the site says.
    if (responseStatusCode === 307 || responseStatusCode === 308)
      return isPresented ? this.#driver.network.block(sessionId, paused) : this.#alarm(sessionId, paused);
    const isRedirect = responseStatusCode >= 300 && responseStatusCode < 400;
    if (isRedirect || !isText(paused)) return this.#continue(sessionId, paused);
    const body = await this.#driver.send<Buffer | null>(
      sessionId,
      'Fetch.getResponseBody',
      { requestId },
      { raw: bodyOf },
    );
    const masked = body === null ? null : maskEcho(body, opened);
    body?.fill(0);
    if (masked === null) return this.#continue(sessionId, paused);
    const params = {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: (paused.responseHeaders ?? []).filter(({ name }) => !bodyHeaders.test(name)),
    };
    const slot = { name: 'body', value: base64(masked) };
    masked.fill(0);
    await this.#driver.send(sessionId, 'Fetch.fulfillRequest', params, { slot });
  }

  #continue(sessionId: string, { requestId }: PausedRequest): void {
    this.#driver.send(sessionId, 'Fetch.continueRequest', { requestId }).catch(() => undefined);
  }

  #alarm(sessionId: string, paused: PausedRequest, kind: 'decoy' | 'own-site' = 'decoy'): void {
    this.#driver.network.block(sessionId, paused);
    const { url, method } = paused.request;
    this.#options.onAlarm({ kind, url: withoutQuery(url), method });
  }
}

/** What a person is told that is asked: names of accounts are none. */
const secretsOf = (fills: readonly Fill[]): SecretName[] =>
  fills.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      typeof part === 'string' || part.secret.isName === true ? [] : (part.secret.called ?? []),
    ),
  );

/** What a page that has a secret itself may have put it into. */
const maySay = ({ request: { method, url }, resourceType }: PausedRequest): boolean =>
  !/^(GET|HEAD|OPTIONS)$/.test(method) || (/^(Document|XHR|Fetch)$/.test(resourceType) && url.includes('?'));

const bodyHeaders = /^content-(length|encoding)$|^transfer-encoding$/i;

/** One request keeps this through its stages. */
const keyOf = ({ networkId, requestId }: PausedRequest): string => networkId ?? requestId;

/** What may be long or never end is passed on as it comes. */
function isText({ responseHeaders = [], responseErrorReason }: PausedRequest): boolean {
  if (responseErrorReason !== undefined) return false;
  const header = (name: string) =>
    responseHeaders.find((one) => one.name.toLowerCase() === name)?.value.toLowerCase() ?? '';
  const type = header('content-type');
  return (
    !type.startsWith('text/event-stream') &&
    /^text\/|json|xml|javascript/.test(type) &&
    Number(header('content-length') || 0) < 4 * 1024 * 1024
  );
}

/** The answer of `Fetch.getResponseBody` as bytes. */
function bodyOf(answer: Buffer): Buffer | null {
  const body = stringOf(answer, 'body');
  if (body === null || !answer.includes('"base64Encoded":true')) return null;
  return fromBase64(body);
}
