import type { HttpAsk, QueryAnswer, QueryAsk, Task } from '../channel/connector.ts';

/** The only way out of a connector. What is refused there ends the connector: nothing comes back. */
export type Broker = {
  readonly http: (ask: HttpAsk, body?: Uint8Array) => Promise<HttpAnswer>;
  readonly query: (ask: QueryAsk) => Promise<QueryAnswer>;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** The first three with what the service answered; `target_unclear`: that leaves open whether it did it. */
export type End =
  | { readonly end: 'completed' | 'target_error' | 'target_unclear'; readonly data: unknown }
  | { readonly end: 'invalid_params'; readonly message: string };

/** Does one action of one service. Throws only what is a bug. */
export type Program = (task: Task, broker: Broker) => Promise<End>;
