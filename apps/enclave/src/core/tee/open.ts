import type { Tee } from '@countersign/protocol/vault/audit-record';
import { configfsTsmTee } from './configfs-tsm.ts';
import { dstackTee } from './dstack.ts';
import { gramineTee } from './gramine.ts';
import { nitroTee } from './nitro.ts';
import type { TeeOptions, TeeProvider } from './provider.ts';
import { simulatedTee } from './simulated.ts';

/** The provider that `TEE_PROVIDER` names. It finds out when it is first asked whether this machine is of its kind. */
export function openTee(kind: Tee['kind'], options: TeeOptions): TeeProvider {
  switch (kind) {
    case 'simulated':
      return simulatedTee(options);
    case 'tdx':
    case 'sev-snp':
      return configfsTsmTee(kind, options);
    case 'dstack':
      return dstackTee(options);
    case 'gramine':
      return gramineTee(options);
    case 'nitro':
      return nitroTee(options);
  }
}
