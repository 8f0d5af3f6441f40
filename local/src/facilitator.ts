import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger, type Logger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { silentTracer, type Tracer } from '@countersign/service/trace';
import { x402Facilitator } from '@x402/core/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { type FacilitatorConfig, facilitatorHelp, readFacilitatorConfig } from './facilitator/config.ts';
import { facilitatorRoutes } from './facilitator/routes.ts';
import { type ChainSigner, chainSigner } from './facilitator/signer.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

/** The command `countersign facilitator`. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help')) {
    process.stdout.write(facilitatorHelp);
    return;
  }
  const config = exitOnBadConfig('facilitator', readFacilitatorConfig(env));
  const log = createLogger('facilitator', env['LOG_LEVEL']);
  const tracer = await openTracer('facilitator', config.exportsTraces, log);
  const start = async () => {
    const facilitator = await startFacilitator(config, log, tracer);
    log.info(`listening on ${facilitator.url}`);
    process.send?.({ ready: true, url: facilitator.url });
    return facilitator;
  };
  await runService(log, start, tracer);
}

/**
 * Verifies x402 payments and settles them on one chain, v1 and v2. Any number at once: each is mined, or
 * answered with the reason.
 */
export async function startFacilitator(
  config: FacilitatorConfig,
  log: Logger,
  tracer: Tracer = silentTracer,
): Promise<HttpServer> {
  const signer = chainSigner(config.privateKey, config.rpcUrl.href, config.chainId);
  const healthy = () => onRightChain(signer, config.chainId);
  const facilitator = facilitatorOf(signer, config.chainId);
  return startHttpServer(config, log, facilitatorRoutes({ facilitator, healthy, log, tracer }));
}

function facilitatorOf(signer: ChainSigner, chainId: number): x402Facilitator {
  const facilitator = new x402Facilitator().register(`eip155:${chainId}`, new ExactEvmScheme(signer));
  // Version 1 knows chains by name; one without a name cannot be paid on with it.
  const named = Object.entries(EVM_NETWORK_CHAIN_ID_MAP).find(([, id]) => id === chainId);
  return named === undefined
    ? facilitator
    : facilitator.registerV1(named[0] as `${string}:${string}`, new ExactEvmSchemeV1(signer));
}

async function onRightChain(signer: ChainSigner, chainId: number): Promise<boolean> {
  try {
    return (await signer.chainIdNow()) === chainId;
  } catch {
    return false;
  }
}
