import { encodeFrame } from '@countersign/service/frames';
import type { FromConnector, HttpAsk, QueryAnswer, QueryAsk, ToConnector } from '../channel/connector.ts';
import type { Broker, HttpAnswer } from './program.ts';

type Answer = Exclude<ToConnector, { readonly task: unknown }>;

/** The broker, as a connector has it: asks go out as frames, answers come by their number. */
export class RemoteBroker implements Broker {
  readonly #write: (frame: Buffer | null) => void;
  readonly #waiting = new Map<number, (message: Answer, body: Buffer) => void>();
  #last = 0;

  constructor(write: (frame: Buffer | null) => void) {
    this.#write = write;
  }

  hear(message: Answer, body: Buffer): void {
    const id = 'rows' in message ? message.rows : message.answer;
    this.#waiting.get(id)?.(message, body);
    this.#waiting.delete(id);
  }

  readonly http = (http: HttpAsk, body?: Uint8Array): Promise<HttpAnswer> =>
    this.#ask({ http }, body, (message, text) => {
      if ('rows' in message) throw new Error('rows were not asked for');
      return { status: message.status, headers: message.headers, text };
    });

  readonly query = (query: QueryAsk): Promise<QueryAnswer> =>
    this.#ask({ query }, undefined, (_message, text) => JSON.parse(text) as QueryAnswer);

  #ask<T>(
    what: DistributiveOmit<Extract<FromConnector, { readonly ask: number }>, 'ask'>,
    body: Uint8Array | undefined,
    read: (message: Answer, text: string) => T,
  ): Promise<T> {
    this.#last += 1;
    const ask = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(ask, (message, bytes) => resolve(read(message, bytes.toString())));
      this.#write(encodeFrame({ ask, ...what }, body));
    });
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
