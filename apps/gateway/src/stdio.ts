import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Gateway } from './app.ts';
import { gatewayServers } from './tools/server.ts';

/** Shorter than the 10 s that a process has to stop. */
const stopWithinMs = 8000;

/** MCP on stdin and stdout. The process stops when either of them closes, or when nothing more can be read. */
export function serveOnStdio(gateway: Gateway, log: Logger): Service {
  const servers = gatewayServers(gateway.ports, log);
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => servers.createForOneClient(), {
    transport,
    onerror: (error) => log.warn(error.message),
  });
  let stopping = false;
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    // A second signal would not let the calls in flight end.
    if (!stopping) process.kill(process.pid, 'SIGTERM');
    stopping = true;
  };
  log.info('MCP on stdio');
  return {
    async stop() {
      stopping = true;
      await handle.close();
      // A payment that was sent is still waited for, so that its outcome is recorded.
      await servers.idle(stopWithinMs);
      await gateway.stop();
    },
  };
}
