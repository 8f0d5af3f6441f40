import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger, type Logger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { silentTracer, type Tracer } from '@countersign/service/trace';
import { startShop } from './demo-shop/shop.ts';
import type { HttpServer } from './http-server.ts';
import { facilitatorClient } from './merchant/facilitator-client.ts';
import { startMcpService } from './merchant/mcp-service.ts';
import { createMerchant, type Merchant } from './merchant/merchant.ts';
import { archiveTools } from './sample-services/archive.ts';
import {
  readSampleServicesConfig,
  type SampleServicesConfig,
  sampleServicesHelp,
} from './sample-services/config.ts';
import { quoteTools } from './sample-services/quotes.ts';

export type SampleServices = {
  readonly quotes: HttpServer;
  readonly archive: HttpServer;
  readonly shop: HttpServer | null;
  /** Finishes the calls in flight. */
  readonly stop: () => Promise<void>;
};

/** The command `countersign sample-services`. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help')) {
    process.stdout.write(sampleServicesHelp);
    return;
  }
  const config = exitOnBadConfig('sample-services', readSampleServicesConfig(env));
  const log = createLogger('sample-services', env['LOG_LEVEL']);
  const tracer = await openTracer('sample-services', config.exportsTraces, log);
  const start = async () => {
    const services = await startSampleServices(config, log, tracer);
    log.info(`quotes at ${services.quotes.url}, archive at ${services.archive.url}`);
    process.send?.({ ready: true, url: services.quotes.url });
    return services;
  };
  await runService(log, start, tracer);
}

/** Starts all of them, or none. */
export async function startSampleServices(
  config: SampleServicesConfig,
  log: Logger,
  tracer: Tracer = silentTracer,
): Promise<SampleServices> {
  const { host, quotesPort, archivePort, shop: shopConfig } = config;
  const started: HttpServer[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  const begin = async (server: Promise<HttpServer>) => {
    started.push(await server);
    return server;
  };
  try {
    const quotes = await begin(
      startMcpService({
        name: 'quotes',
        host,
        port: quotesPort,
        transport: 'streamable-http',
        tools: quoteTools(merchantOf('quotes', config)),
        log,
        tracer,
      }),
    );
    const archive = await begin(
      startMcpService({
        name: 'archive',
        host,
        port: archivePort,
        transport: 'sse',
        tools: archiveTools(merchantOf('archive', config)),
        log,
        tracer,
      }),
    );
    const shop = shopConfig === null ? null : await begin(startShop({ host, ...shopConfig, log }));
    return { quotes, archive, shop, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function merchantOf(id: string, config: SampleServicesConfig): Merchant {
  const { merchantKey, facilitatorUrl, network, asset } = config;
  const facilitator = facilitatorClient(facilitatorUrl);
  return createMerchant({ id, privateKey: merchantKey, network, asset, facilitator });
}
