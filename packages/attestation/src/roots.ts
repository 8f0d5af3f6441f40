import { X509Certificate } from 'node:crypto';
import { constants } from '@phala/dcap-qvl';
import type { TrustedRoots } from './evidence.ts';
import { amdIntermediates, amdRoots } from './sev-snp/amd-certificates.ts';

/** The roots of the vendors, which the command believes and nothing else. */
export const vendorRoots = (): TrustedRoots => ({
  intel: new X509Certificate(constants.TRUSTED_ROOT_CA_DER),
  amd: { roots: amdRoots(), intermediates: amdIntermediates() },
  // https://docs.aws.amazon.com/enclaves/latest/user/verify-root.html
  aws: '64:1A:03:21:A3:E2:44:EF:E4:56:46:31:95:D6:06:31:7E:D7:CD:CC:3C:17:56:E0:98:93:F3:C6:8F:79:BB:5B',
});
