import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { problemOf } from './problem.ts';

const unknownIssuer =
  'Nobody who is believed here vouches for the certificate of the service. CONNECTOR_CA of the enclave names whom to believe besides.';
const notValidNow = 'The certificate of the service is not valid at this time.';

/** Messages by the error codes of Node and OpenSSL (X509_V_ERR_*). */
const messages: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  CERT_SIGNATURE_FAILURE: unknownIssuer,
  CERT_HAS_EXPIRED: notValidNow,
  CERT_NOT_YET_VALID: notValidNow,
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the service is for another name.',
};

/** Why TLS with a service did not come about, in our own words; nothing was said to it then. */
export const tlsProblem = (error: unknown): ExecutionProblem =>
  problemOf(
    'target_unreachable',
    messages[codeOf(error)] ?? 'TLS with the service fails. It must speak TLS 1.2 or newer.',
  );

/** Returns whether TLS is what failed. */
export const isOfTls = (error: unknown): boolean =>
  codeOf(error) in messages || /^(ERR_SSL|ERR_TLS|EPROTO)/.test(codeOf(error));

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
