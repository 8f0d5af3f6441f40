import type { ControlCode } from '@countersign/protocol/control/codes';
import type * as dialect from '@countersign/protocol/dialect';
import { fail } from '@countersign/protocol/result';
import type * as http from '@countersign/service/http';

export type Refusal = dialect.Refusal<ControlCode>;
export type Answer<T> = http.Answer<T, ControlCode>;

/** A refusal, short enough to stand in a `return`. `data` stands beside `code` and `detail`. */
export const refusal = (code: ControlCode, msg: string, data?: Readonly<Record<string, unknown>>) =>
  fail<Refusal>({ code, msg, data });
