import {
  recoveryDomain,
  type RecoveryMessages,
  type RecoveryStatement,
  recoveryTypes,
} from '@countersign/protocol/dashboard/recovery-statement';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { burnNonce } from '../auth/store.ts';
import type { WhyNotSigned } from '../auth/wallet-signature.ts';

const hashers = {
  NameRecoveryAddress: typedDataHasher('NameRecoveryAddress', recoveryTypes.NameRecoveryAddress),
  RecoverAccount: typedDataHasher('RecoverAccount', recoveryTypes.RecoverAccount),
  ObjectToRecovery: typedDataHasher('ObjectToRecovery', recoveryTypes.ObjectToRecovery),
};

export type JudgeParts = {
  readonly pool: Pool;
  readonly chainId: number;
  readonly whyNotSigned: WhyNotSigned;
  readonly now: () => Date;
};

/**
 * Why this account's wallet has not signed this statement, for us and now; null when it has. It counts once: its nonce is
 * burnt whatever comes of it. Takes no lock: a contract is asked on the chain.
 */
export async function whyUnsigned<S extends RecoveryStatement>(
  { pool, chainId, whyNotSigned, now }: JudgeParts,
  signer: Account,
  name: S,
  { message, signature }: { readonly message: RecoveryMessages[S]; readonly signature: string },
): Promise<string | null> {
  if (!(await burnNonce(pool, message.nonce, now()))) return 'the nonce is unknown, already used or too old';
  const why = await whyNotSigned(signer, hashers[name](recoveryDomain(chainId), message), signature);
  return why === null ? null : `${why}, over this ${name}`;
}
