import type { Tee } from '@countersign/protocol/vault/audit-record';
import type { TeeOptions, TeeProvider } from './provider.ts';
import { simulatedTee } from './simulated.ts';

/** The provider that `TEE_PROVIDER` names. Throws, with what is missing, when this machine is none of its kind. */
export function openTee(kind: Tee['kind'], options: TeeOptions): TeeProvider {
  if (kind === 'simulated') return simulatedTee(options);
  throw new Error(`this machine has no trusted execution environment of the kind ${kind}`);
}
