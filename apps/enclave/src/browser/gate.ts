import type { UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Alarm } from './browser.ts';
import { stringOf } from './cdp/raw.ts';
import { type Judgement, judgeRequest, maySend } from './decoy/binding.ts';
import { bodyWith, type Opened, withSecrets } from './decoy/deliver.ts';
import { maskEcho } from './decoy/echo.ts';
import { base64, fromBase64 } from './decoy/encodings.ts';
import type { Fills } from './decoy/fills.ts';
import type { Driver } from './driver.ts';
import type { Hold } from './hold.ts';
import { withoutQuery } from './network.ts';
import type { PausedRequest } from './protocol.ts';

export type GateOptions = {
  readonly driver: () => Driver;
  readonly fills: Fills;
  readonly hold: Hold;
  readonly scope: readonly UrlPattern[];
  readonly onAlarm: (alarm: Alarm) => void;
};

type Delivery = Judgement & { readonly kind: 'deliver' };

/** How long an answer may take to begin until the secret that was sent is forgotten, in milliseconds. */
const answerLimit = 15_000;

/** Lets requests within scope pass, and puts secrets into those that are bound. */
export class RequestGate {
  readonly #options: GateOptions;
  /** Answers that are waited for, by request. */
  readonly #awaited = new Map<string, (paused: PausedRequest | null) => void>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  pass(sessionId: string, paused: PausedRequest): void {
    if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined)
      return this.#answered(sessionId, paused);
    const { fills, scope, hold } = this.#options;
    const mayNotGo = hold.secrets().some((secret) => !maySend(secret, scope, paused.request.url));
    if (mayNotGo) return this.#driver.network.refuse(sessionId, paused);
    const judgement = judgeRequest(fills, paused, this.#driver.frames.get(paused.frameId), scope);
    if (judgement.kind === 'clean') return this.#continue(sessionId, paused);
    if (judgement.kind === 'alarm') return this.#alarm(sessionId, paused);
    // Marked at once: a second request may come before this one has gone.
    for (const { fill } of judgement.replacements) fill.sentTo = new URL(paused.request.url).origin;
    this.#deliver(sessionId, paused, judgement).catch(() => this.#driver.network.block(sessionId, paused));
  }

  get #driver(): Driver {
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
      if (response !== null) await this.#passAnswer(sessionId, response, opened);
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
  async #passAnswer(sessionId: string, paused: PausedRequest, opened: readonly Opened[]): Promise<void> {
    const { requestId, responseStatusCode = 0 } = paused;
    // The browser would send the body again, the secret in it, wherever the site says.
    if (responseStatusCode === 307 || responseStatusCode === 308) return this.#alarm(sessionId, paused);
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

  #alarm(sessionId: string, paused: PausedRequest): void {
    this.#driver.network.block(sessionId, paused);
    const { url, method } = paused.request;
    this.#options.onAlarm({ kind: 'decoy', url: withoutQuery(url), method });
  }
}

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
