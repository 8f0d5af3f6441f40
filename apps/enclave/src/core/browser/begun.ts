import type { CdpEvent } from './cdp/connection.ts';
import { mayChange } from './may-change.ts';
import type { PausedRequest } from './protocol.ts';

/** Time limit, in milliseconds, for Chromium to hand over a request that it has announced. */
const limit = 2000;

/** A request that has failed, or that the cache has answered, is never handed over. */
const over: ReadonlySet<string> = new Set(['Network.loadingFailed', 'Network.requestServedFromCache']);

/** So many of those that were handed over first are remembered. */
const maxEarly = 1000;

/**
 * Requests that may change something, which a page has begun and nobody has judged yet. Its renderer tells of one, and the network
 * hands it over: whichever comes first, and at times after Chromium has answered what came next.
 */
export class Begun {
  readonly #waiting = new Map<string, () => void>();
  readonly #all = new Map<string, Promise<void>>();
  /** Handed over before it was told of: nobody waits for it. */
  readonly #early = new Set<string>();

  hear({ method, params }: CdpEvent): void {
    const { requestId, request } = params as { requestId: string; request?: { url: string; method: string } };
    if (over.has(method)) this.#end(requestId);
    if (method !== 'Network.requestWillBeSent' || request === undefined || this.#all.has(requestId)) return;
    if (!request.url.startsWith('http') || !mayChange(request.method, request.url)) return;
    if (this.#early.delete(requestId)) return;
    const seen = new Promise<void>((resolve) => this.#waiting.set(requestId, resolve));
    this.#all.set(requestId, seen);
    setTimeout(() => this.#end(requestId), limit).unref();
  }

  /** Chromium tells of requests from now on, and of none that it has handed over before. */
  begin(): void {
    this.#early.clear();
  }

  see({ networkId, requestId, responseStatusCode, responseErrorReason }: PausedRequest): void {
    const id = networkId ?? requestId;
    const isAnswer = responseStatusCode !== undefined || responseErrorReason !== undefined;
    if (!isAnswer && !this.#all.has(id)) this.#remember(id);
    this.#end(id);
  }

  #remember(id: string): void {
    this.#early.add(id);
    const [oldest = id] = this.#early;
    if (this.#early.size > maxEarly) this.#early.delete(oldest);
  }

  /** Resolves when all that was told of by now has been handed over, or has failed. */
  async seen(): Promise<void> {
    await Promise.all(this.#all.values());
  }

  #end(requestId: string): void {
    this.#waiting.get(requestId)?.();
    this.#waiting.delete(requestId);
    this.#all.delete(requestId);
  }
}
