import { isUrl } from '@countersign/protocol/url';
import type { Alarm } from './browser.ts';
import type { Connection } from './cdp/connection.ts';
import type { PausedRequest } from './protocol.ts';

/** Alarms of one session; a page that makes more is no news. */
const maxScopeAlarms = 100;

/** Holds every request of every target before it is sent, and fails those that are not to be. Who decides is the gate. */
export class Network {
  readonly #connection: Connection;
  readonly #onAlarm: (alarm: Alarm) => void;
  #alarms = 0;

  constructor(connection: Connection, onAlarm: (alarm: Alarm) => void) {
    this.#connection = connection;
    this.#onAlarm = onAlarm;
  }

  /** Pauses every request of the target from now on: none is sent without being seen here. */
  watch(sessionId: string): void {
    this.#connection
      .send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, { sessionId })
      .catch(() => undefined);
  }

  block(sessionId: string, paused: PausedRequest): void {
    this.#fail(sessionId, paused, 'BlockedByClient');
  }

  /** Fails; a frame that would show its answer stays as it is. */
  turnDown(sessionId: string, paused: PausedRequest): void {
    if (paused.resourceType === 'Document') this.abort(sessionId, paused);
    else this.block(sessionId, paused);
  }

  /** Fails as if the page had thought better of it: the frame shows what it showed. */
  abort(sessionId: string, paused: PausedRequest): void {
    this.#fail(sessionId, paused, 'Aborted');
  }

  #fail(sessionId: string, { requestId }: PausedRequest, errorReason: string): void {
    this.#connection
      .send('Fetch.failRequest', { requestId, errorReason }, { sessionId })
      .catch(() => undefined);
  }

  /** Fails as out of scope. */
  refuse(sessionId: string, paused: PausedRequest): void {
    this.block(sessionId, paused);
    if (!isIcon(paused) && this.#alarms++ < maxScopeAlarms)
      this.#onAlarm({
        kind: 'scope',
        url: withoutQuery(paused.request.url),
        resource: paused.resourceType.toLowerCase(),
      });
  }
}

/** The browser asks for it by itself. */
const isIcon = ({ request, resourceType }: PausedRequest): boolean =>
  resourceType === 'Other' && /^https?:\/\/[^/]+\/favicon\.ico$/.test(request.url);

/** Documents without a network: they hold what a page in scope put into them. */
export const isLocal = (url: string): boolean => /^(about:(blank|srcdoc)([?#]|$)|data:|blob:)/.test(url);

export function withoutQuery(url: string): string {
  if (!isUrl(url)) return '';
  const { protocol, host, pathname } = new URL(url);
  return /^(https?|wss?):$/.test(protocol) ? `${protocol}//${host}${pathname}`.slice(0, 2048) : protocol;
}
