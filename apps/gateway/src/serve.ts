import type { Logger } from '@countersign/service/logger';
import type { Tracer } from '@countersign/service/trace';
import { createGateway } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { type GatewayHttp, serveHttp } from './http/server.ts';
import { serveOnStdio } from './stdio.ts';
import { tellOf } from './telling.ts';

/** Starts a gateway that serves MCP over Streamable HTTP. `close` ends what is in flight, then the gateway. */
export async function startOnHttp(config: GatewayConfig, log: Logger, tracer: Tracer): Promise<GatewayHttp> {
  const gateway = await start(config, log, tracer);
  const http = await serveHttp(gateway, config, tellOf(gateway), log);
  log.info(`MCP at ${http.url.href}`);
  return {
    url: http.url,
    async close() {
      await http.close();
      await gateway.stop();
    },
  };
}

/** Starts a gateway that serves MCP on this process's stdin and stdout. */
export async function startOnStdio(config: GatewayConfig, log: Logger, tracer: Tracer) {
  return serveOnStdio(await start(config, log, tracer), log);
}

async function start(config: GatewayConfig, log: Logger, tracer: Tracer) {
  if (config.compliance === null)
    log.warn('COMPLIANCE_BASE_URL or COMPLIANCE_API_KEY is missing: every payment is refused');
  const gateway = await createGateway(config, { log, tracer, program: process.argv[1] ?? '' });
  log.info({ wallet: gateway.ports.wallet.address }, 'wallet');
  return gateway;
}
