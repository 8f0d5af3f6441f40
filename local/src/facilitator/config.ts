import type { Result } from '@countersign/protocol/result';
import { type Env, exportsTraces, integer, text, url, Variables } from '@countersign/service/config';
import { type PrivateKey, privateKey } from '../private-key.ts';

export type FacilitatorConfig = {
  readonly host: string;
  readonly port: number;
  readonly privateKey: PrivateKey;
  readonly rpcUrl: URL;
  readonly chainId: number;
  readonly exportsTraces: boolean;
};

export const facilitatorHelp = `Usage: countersign facilitator

Verifies x402 payments (v1 and v2, scheme "exact", EIP-3009) and settles them on chain for the
services that are paid. It pays the gas and can neither change nor redirect a payment. Endpoints:
GET /supported, POST /verify, POST /settle, GET /health

Variables:
  FACILITATOR_PRIVATE_KEY  required; pays the gas: 0x and 64 hex digits
  EVM_RPC_URL              required; JSON-RPC of the chain, http:// or https://
  FACILITATOR_CHAIN_ID     chain to settle on (default 84532, Base Sepolia)
  FACILITATOR_HOST         address to listen on (default 127.0.0.1)
  FACILITATOR_PORT         port to listen on (default 4024; 0 for a free port)
  LOG_LEVEL                trace, debug, info, warn, error (default info)
  OTEL_EXPORTER_OTLP_ENDPOINT  collector of OpenTelemetry traces (default none)

Examples:
  FACILITATOR_PRIVATE_KEY=0x… EVM_RPC_URL=https://node.example countersign facilitator
  countersign --env facilitator.env facilitator
`;

/** Reads the whole configuration, or tells every error in it. */
export function readFacilitatorConfig(env: Env): Result<FacilitatorConfig, readonly string[]> {
  const variables = new Variables(env);
  return variables.finish({
    host: variables.withDefault('FACILITATOR_HOST', '127.0.0.1', text),
    port: variables.withDefault('FACILITATOR_PORT', 4024, integer(0, 65_535)),
    privateKey: variables.required('FACILITATOR_PRIVATE_KEY', privateKey, 'the key that pays the gas'),
    rpcUrl: variables.required('EVM_RPC_URL', url('http:', 'https:'), 'JSON-RPC of the chain'),
    chainId: variables.withDefault('FACILITATOR_CHAIN_ID', 84532, integer(1, 999_999_999_999_999)),
    exportsTraces: exportsTraces(variables),
  });
}
