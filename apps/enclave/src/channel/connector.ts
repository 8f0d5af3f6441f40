import type { ConnectorType } from '@countersign/protocol/control/connector';
import { z } from 'zod';
import type { Surroundings } from '../os/surroundings.ts';

/**
 * The steps that the launcher asks for inside the sandbox. A container engine has already taken all of them.
 */
export type Furnishing = {
  /** The launcher's user and namespaces, from which this process must differ. */
  readonly outside: Surroundings;
  /** The only host paths to keep visible; null if that is done already, or cannot be done. */
  readonly visible: readonly string[] | null;
  readonly user: { readonly uid: number; readonly gid: number } | null;
};

/** A connector's one task: one action of one service. */
export type Task = {
  readonly type: Exclude<ConnectorType, 'browser'>;
  /** The definition as stored. The schema of its type validates it again. */
  readonly definition: unknown;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** To a connector, as headers of frames. Bodies are masked: of an HTTP answer its text, of a query its rows in JSON. */
export type ToConnector =
  | { readonly task: Task }
  | { readonly answer: number; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly rows: number };

const fieldName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,256}$/);
/** No control characters: no value makes a second line of a request. */
const fieldValue = z
  .string()
  .max(16_384)
  .regex(/^[^\p{Cc}\u0100-\u{10ffff}]*$/u);

const httpAsk = z.strictObject({
  method: z.string().regex(/^[A-Z]{1,16}$/),
  url: z.url({ protocol: /^https?$/ }).max(65_536),
  headers: z.record(fieldName, fieldValue),
});
export type HttpAsk = z.output<typeof httpAsk>;

const queryAsk = z.strictObject({ values: z.array(z.string().nullable()).max(64) });
export type QueryAsk = z.output<typeof queryAsk>;

/** Rows of a query as a connector hears them: values as PostgreSQL writes them, types by their number (OID). */
export type Rows = {
  readonly fields: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly count: number;
};

/** A database's answer to a statement; `refused` with its five-character code (SQLSTATE). */
export type QueryAnswer = Rows | { readonly refused: { readonly code: string; readonly message: string } };

/** From a connector, which may be anybody's by then: headers of frames. `target_unclear`: the service does not say whether it did it. The body of an end is the JSON text of `data`. */
export const fromConnector = z.union([
  z.strictObject({ ask: z.int().min(1), http: httpAsk }),
  z.strictObject({ ask: z.int().min(1), query: queryAsk }),
  z.strictObject({ end: z.enum(['completed', 'target_error', 'target_unclear', 'out_of_memory']) }),
  z.strictObject({ end: z.literal('invalid_params'), message: z.string().max(1000) }),
]);
export type FromConnector = z.output<typeof fromConnector>;

/** Said once, as a line on the error stream: it is where it is to be, and has read nothing yet. */
export const readyLine = z.strictObject({
  ready: z.strictObject({
    network: z.enum(['none', 'shared']),
    seccomp: z.boolean(),
    /** Whether network and processes are other ones than the launcher's, where it said which those are. */
    apart: z.boolean(),
  }),
});
export type Ready = z.output<typeof readyLine>['ready'];
