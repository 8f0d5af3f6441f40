import type { HttpAsk, QueryAnswer, QueryAsk, Task } from '../messages.ts';

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

/** `completed` and `target_error` with what the service answered. */
export type End =
  | { readonly end: 'completed' | 'target_error'; readonly data: unknown }
  | { readonly end: 'invalid_params'; readonly message: string };

/** Does one action of one service. Throws only what is a bug. */
export type Program = (task: Task, broker: Broker) => Promise<End>;
