import { connect } from 'node:net';
import type { Cancellation } from '@countersign/service/cancellation';
import { version } from '@countersign/service/version';
import { parseUrl } from '@countersign/protocol/url';
import { Pool } from 'undici';
import { type Answer, ask, type Limit } from './ask.ts';
import type { Prepared } from './operation.ts';

const maxHops = 3;
/** A price with a cart in it is longer than what Node reads of headers unless it is told. */
const maxHeaderSize = 256 * 1024;

const common = {
  accept: 'application/json, text/*;q=0.9, */*;q=0.8',
  // What is compressed could unpack to any size.
  'accept-encoding': 'identity',
  'user-agent': `countersign-gateway/${version}`,
};

/** Sends one request to a host, once, in another way than by itself. */
export type Send = (
  request: { readonly origin: string } & Prepared,
  signal: Cancellation,
  limit: Limit,
) => Promise<Answer>;

export type Asked = { readonly answer: Answer; readonly request: Prepared };

/** A client of one host. INVARIANT: everything is sent there and nowhere else. */
export class Host {
  readonly origin: string;
  readonly #pool: Pool;
  readonly #by: Send | null;

  constructor(url: URL, by: Send | null = null) {
    this.origin = url.origin;
    this.#by = by;
    this.#pool = new Pool(url.origin, { connections: 256, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize });
  }

  /**
   * Asks without a payment. Where the host sends us to another of its own paths, that is asked; gives the request that was
   * answered at last. Another host, port or a step to TLS is another address.
   */
  async ask(first: Prepared, signal: Cancellation, limit: Limit): Promise<Asked> {
    let request = first;
    for (let hops = 0; ; hops++) {
      const answer = await this.send(request, signal, limit);
      const next = hops < maxHops ? this.#redirected(request, answer) : null;
      if (next === null) return { answer, request };
      request = next;
    }
  }

  /** Sends one request, once, and follows nothing. */
  send({ method, path, headers, body }: Prepared, signal: Cancellation, limit: Limit): Promise<Answer> {
    const request = { method, path, headers: { ...common, ...headers }, body };
    return this.#by === null
      ? ask(this.#pool, request, signal, limit)
      : this.#by({ origin: this.origin, ...request }, signal, limit);
  }

  /** Null for an answer that is none, or is not followed. Only a 307 or 308 says that what was sent may be sent again. */
  #redirected(request: Prepared, { status, headers }: Answer): Prepared | null {
    const isSafe = request.method === 'GET' && [301, 302, 303].includes(status);
    if (!isSafe && status !== 307 && status !== 308) return null;
    const here = new URL(this.origin + request.path);
    const target = headers.location === undefined ? null : parseUrl(headers.location, here);
    // Behind a proxy that ends TLS a service may not know that it is spoken to over it; we stay with it.
    const isHere = target?.host === here.host && [here.protocol, 'http:'].includes(target.protocol);
    return isHere ? { ...request, path: target.pathname + target.search } : null;
  }

  /** Opens a connection and closes it; rejects where there is none in time. */
  reach(timeoutMs: number): Promise<void> {
    const { hostname, port, protocol } = new URL(this.origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
      const late = (): unknown => socket.destroy(new Error('no answer in time'));
      socket.setTimeout(timeoutMs, late);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
    });
  }

  /** Ends when the last of what is in flight has. */
  async retire(): Promise<void> {
    await this.#pool.close();
  }

  /** Ends also what is in flight. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
