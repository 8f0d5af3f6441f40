import type { CdpEvent } from './cdp/connection.ts';
import { mayChange } from './may-change.ts';
import type { PausedRequest } from './protocol.ts';

/** How long Chromium may take to hand over a request that it has told of, in milliseconds. */
const limit = 2000;

/**
 * Requests that may change something, which a page has begun and nobody has judged yet. Chromium tells of one at once, and hands
 * it over later, at times after it has answered what came next.
 */
export class Begun {
  readonly #waiting = new Map<string, () => void>();
  readonly #all = new Map<string, Promise<void>>();

  hear({ method, params }: CdpEvent): void {
    const { requestId, request } = params as { requestId: string; request?: { url: string; method: string } };
    if (method === 'Network.loadingFailed') this.#end(requestId);
    if (method !== 'Network.requestWillBeSent' || request === undefined || this.#all.has(requestId)) return;
    if (!request.url.startsWith('http') || !mayChange(request.method, request.url)) return;
    const seen = new Promise<void>((resolve) => this.#waiting.set(requestId, resolve));
    this.#all.set(requestId, seen);
    setTimeout(() => this.#end(requestId), limit).unref();
  }

  see({ networkId, requestId }: PausedRequest): void {
    this.#end(networkId ?? requestId);
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
