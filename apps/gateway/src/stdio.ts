import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Gateway } from './app.ts';
import { createGatewayServer } from './tools/server.ts';

/** MCP on stdin and stdout. The process stops when stdin closes. */
export function serveOnStdio(gateway: Gateway, log: Logger): Service {
  const handle = serveStdio(() => createGatewayServer(gateway.ports), {
    onerror: (error) => log.warn(error.message),
  });
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM'));
  log.info('MCP on stdio');
  return {
    async stop() {
      await handle.close();
      await gateway.stop();
    },
  };
}
