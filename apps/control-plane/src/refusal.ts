import type { ControlCode } from '@countersign/protocol/control/codes';
import type * as dialect from '@countersign/protocol/dialect';
import { whyIllegible } from '@countersign/protocol/legible-name';
import { fail } from '@countersign/protocol/result';
import type * as http from '@countersign/service/http';

export type Refusal = dialect.Refusal<ControlCode>;
export type Answer<T> = http.Answer<T, ControlCode>;

/** A refusal, short enough to stand in a `return`. `data` stands beside `code` and `detail`. */
export const refusal = (code: ControlCode, msg: string, data?: Readonly<Record<string, unknown>>) =>
  fail<Refusal>({ code, msg, data });

/** Refuses what may be answered otherwise in a second. */
export const refusalForNow = (code: ControlCode, msg: string) => ({
  ...refusal(code, msg),
  headers: { 'retry-after': '1' },
});

/** Refuses a name that people could not read; a name that is kept already, by a build before that rule, is not asked. Null where it may be. */
export function illegible(field: string, name: string) {
  const why = whyIllegible(name);
  return why === null ? null : refusal('invalid_request', `${field}: ${why}`);
}
