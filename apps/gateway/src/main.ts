import { exitOnBadConfig, type Env } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/trace';
import { createGateway } from './app.ts';
import { readGatewayConfig } from './config.ts';
import { help } from './help.ts';
import { serveHttp } from './http/server.ts';
import { serveOnStdio } from './stdio.ts';
import { tellOf } from './telling.ts';

/** `countersign gateway`: MCP on stdio, or with `--http` over Streamable HTTP. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  const unknown = argv.find((argument) => argument !== '--http');
  if (unknown !== undefined) {
    process.stderr.write(`gateway: unknown option "${unknown}". Run "countersign gateway --help".\n`);
    process.exit(2);
  }
  const mode = argv.includes('--http') ? 'http' : 'stdio';
  const config = exitOnBadConfig('gateway', readGatewayConfig(env, mode));
  const log = createLogger('gateway', config.logLevel);
  if (config.compliance === null)
    log.warn('COMPLIANCE_BASE_URL or COMPLIANCE_API_KEY is missing: every payment is refused');

  const tracer = await openTracer('gateway', config.exportsTraces, log);
  const start = async () => {
    const gateway = await createGateway(config, log, tracer);
    log.info({ wallet: gateway.ports.wallet.address }, 'wallet');
    if (mode === 'stdio') return serveOnStdio(gateway, log);
    const http = await serveHttp(gateway.ports, config, tellOf(gateway), log);
    log.info(`MCP at ${http.url.href}`);
    process.send?.({ ready: true, url: http.url.href });
    return {
      async stop() {
        await http.close();
        await gateway.stop();
      },
    };
  };
  await runService(log, start, tracer);
}
