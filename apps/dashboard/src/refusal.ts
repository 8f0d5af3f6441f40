import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type * as dialect from '@countersign/protocol/dialect';
import { fail } from '@countersign/protocol/result';
import type * as http from '@countersign/service/http';

export type Refusal = dialect.Refusal<DashboardCode>;
export type Answer<T> = http.Answer<T, DashboardCode>;

/** A refusal, short enough to stand in a `return`. */
export const refusal = (code: DashboardCode, msg: string, data?: unknown) =>
  fail<Refusal>(data === undefined ? { code, msg } : { code, msg, data });

/** To a key of one agent, about any other wallet. */
export const ofAnotherAgent: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'the API key is for one agent only, and this is another wallet',
};
