import { createLogger } from '../packages/service/src/logger.ts';
import { silentTracer } from '../packages/service/src/trace.ts';
import { readGatewayConfig } from '../apps/gateway/src/config.ts';
import type { GatewayHttp } from '../apps/gateway/src/http/server.ts';
import type { GatewayAnswer, GatewayOrder } from '../conformance/gateway/fixtures/shared-process.ts';
import { runDocumentThread } from '../apps/gateway/src/http-services/documents/thread.ts';
import { startOnHttp } from '../apps/gateway/src/serve.ts';

/**
 * A process of many gateways, each with a configuration, a port and a state of its own: a test's gateway then costs neither a
 * start of Node nor the loading of its modules. It ends with the process that started it.
 */
runDocumentThread();
const gateways = new Map<number, GatewayHttp>();
process.on('disconnect', () => process.exit(0));
process.on('message', (order: GatewayOrder) => {
  obey(order).then(
    (url) => process.send?.({ id: order.id, url } satisfies GatewayAnswer),
    (error: unknown) => process.send?.({ id: order.id, error: String(error) } satisfies GatewayAnswer),
  );
});

async function obey({ id, env }: GatewayOrder): Promise<string | null> {
  if (env === null) {
    await gateways.get(id)?.close();
    gateways.delete(id);
    return null;
  }
  const config = readGatewayConfig(env, 'http');
  if (!config.ok) throw new Error(config.error.join('\n'));
  const log = createLogger('gateway', config.value.logLevel);
  const gateway = await startOnHttp(config.value, log, silentTracer);
  gateways.set(id, gateway);
  return gateway.url.href;
}
