import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { EnclaveClient } from '@countersign/service/enclave-client';

/** All that the vault can do with the enclave. */
export type Enclave = Pick<EnclaveClient, 'call' | 'connected'>;

/** The enclave refused a valid request. That is not the caller's fault, hence a 500 without details. */
export class EnclaveFailed extends Error {
  override readonly name = 'EnclaveFailed';
  constructor(command: string, { code }: EnclaveRefusal) {
    super(`the enclave refused ${command}: ${code}`);
  }
}
