import type { Route } from './route.ts';

/** A part of a JSON Schema or of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown };

/** A refusal as a value: a code, words that are safe to show, and `data` where the code has any. */
export type Refusal<Code extends string> = {
  readonly code: Code;
  readonly msg: string;
  readonly data?: unknown;
};

/** A code as it was told: by a newer server it may be one that this build does not know. */
export type Told<Code extends string> = Code | 'unknown';

/** Refusals of the transport itself, before or apart from any handler. */
export type Fault =
  | 'unreadable'
  | 'invalid'
  | 'too-large'
  | 'media-type'
  | 'wrong-method'
  | 'no-endpoint'
  | 'rate-limited'
  | 'not-ready'
  | 'unforeseen';

/** One way in which a caller authenticates, as OpenAPI describes it. */
export type Proof<Code extends string> = {
  /** Security requirements, any of which does. */
  readonly security: readonly Json[];
  /** Properties that the proof adds to the JSON body. */
  readonly fields?: Json;
  /** Returns the codes that this adds to a route's. */
  readonly refusals: (route: Route) => readonly Code[];
};

/** The wire format of one HTTP API's answers: everything in which our services differ. */
export type Dialect<Code extends string, Auth extends string> = {
  /** HTTP status of a code. */
  status(code: Code): number;
  /** The code under which each fault travels. */
  readonly faults: Readonly<Record<Fault, Code>>;
  success(data: unknown): unknown;
  refusal(refusal: Refusal<Code>): Json;
  /** The data of what `success` wrote; undefined for anything else. */
  readSuccess(answer: unknown): unknown;
  /** Parses an answer written by `refusal`; null for anything else. */
  readRefusal(answer: unknown): Refusal<Told<Code>> | null;
  /** Media type of a refusal; that of a success is `application/json`. */
  readonly refusalType: 'application/json' | 'application/problem+json';
  /** JSON Schemas of both. */
  readonly schemas: {
    success(data: Json): Json;
    refusal(codes: readonly Code[]): Json;
  };
  readonly proofs: Readonly<Record<Auth, Proof<Code>>>;
  readonly securitySchemes: Json;
};

/** HTTP statuses of faults that have one of their own; the others have that of their code. */
export const faultStatus: Readonly<Partial<Record<Fault, number>>> = {
  'too-large': 413,
  'media-type': 415,
  'wrong-method': 405,
  'not-ready': 503,
};

/** Largest request body that is read, in bytes. */
export const maxBodyBytes = 256 * 1024;
