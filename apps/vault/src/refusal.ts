import type * as dialect from '@countersign/protocol/dialect';
import { fail } from '@countersign/protocol/result';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import type * as http from '@countersign/service/http';

export type Refusal = dialect.Refusal<VaultCode>;
export type Answer<T> = http.Answer<T, VaultCode>;

/** A refusal, short enough to stand in a `return`. */
export const refusal = (code: VaultCode, msg: string) => fail<Refusal>({ code, msg });
