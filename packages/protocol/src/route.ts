import type { z } from 'zod';

/**
 * One endpoint of an HTTP API as data. The server registers it, the typed client calls it and OpenAPI
 * describes it from this one object, so the three cannot disagree.
 */
export type Route<Code extends string = string, Auth extends string = string> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` marks a parameter. */
  readonly path: `/${string}`;
  /**
   * How the caller proves who it is, in the words of the API's dialect. `signature` always means that the sender
   * signed the body to the letter; the handler checks that and reads it, so such a route has no `body` here.
   */
  readonly auth: Auth;
  /** The scope that the caller needs, if the API has scopes. */
  readonly scope?: string;
  /** Who of an account's people may call it, where the API has people. */
  readonly roles?: readonly string[];
  readonly summary: string;
  readonly body?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The answer on success; inside `data` if the dialect has an envelope. */
  readonly data: z.ZodType;
  /** Success is this media type, streamed and without an envelope, where the query asks for it. */
  readonly download?: 'text/csv';
  /** Success is always this media type; `data` is its text, or one line of it. */
  readonly text?: 'text/plain' | 'application/jsonl' | 'application/json';
  /** Success is an endless stream of server-sent events; `data` is one of them. */
  readonly stream?: true;
  /** Success is a WebSocket; `data` is one of the texts (JSON) that the server sends over it. */
  readonly socket?: true;
  /** Success travels with HTTP status 201 instead of 200. */
  readonly created?: true;
  /** Success may travel with HTTP status 202 too: not all is done yet. */
  readonly accepted?: true;
  /** Needs the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
  readonly idempotent?: true;
  /** Codes of refusals that are this route's own, beside those of its `auth` and of malformed input. */
  readonly refusals?: readonly Code[];
};

export type RouteTable<Code extends string = string, Auth extends string = string> = {
  readonly [name: string]: Route<Code, Auth>;
};

type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | NamesIn<After>
    : Rest
  : never;
/** Names of the parameters in a route's path. */
export type ParamsOf<R extends Route> = NamesIn<R['path']>;

export type BodyOf<R extends Route> = R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
export type BodyInputOf<R extends Route> = R extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : undefined;
export type QueryOf<R extends Route> = R extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined;
export type QueryInputOf<R extends Route> = R extends { query: infer Q extends z.ZodType }
  ? z.input<Q>
  : undefined;
export type DataOf<R extends Route> = z.output<R['data']>;
export type DataInputOf<R extends Route> = z.input<R['data']>;
