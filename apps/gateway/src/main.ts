import { exitOnBadConfig, type Env } from '@countersign/service/config';
import { runService } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { openTracer } from '@countersign/service/open-tracer';
import { readGatewayConfig } from './config.ts';
import { runDocumentThread } from './http-services/documents/thread.ts';
import { allVariables, help } from './help.ts';
import { startOnHttp, startOnStdio } from './serve.ts';

/** `countersign gateway`: MCP on stdio, or with `--http` over Streamable HTTP. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (runDocumentThread()) return;
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  if (argv.length === 1 && argv[0] === '--variables') {
    process.stdout.write(allVariables);
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
  const tracer = await openTracer('gateway', config.exportsTraces, log);
  const start = async () => {
    if (mode === 'stdio') return startOnStdio(config, log, tracer);
    const { url, close } = await startOnHttp(config, log, tracer);
    process.send?.({ ready: true, url: url.href });
    return { stop: close };
  };
  await runService(log, start, tracer);
}
