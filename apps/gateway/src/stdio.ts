import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Gateway } from './app.ts';
import { gatewayServers } from './tools/server.ts';

/** MCP on stdin and stdout. The process stops when either of them closes. */
export function serveOnStdio(gateway: Gateway, log: Logger): Service {
  const servers = gatewayServers(gateway.ports, log);
  const handle = serveStdio(() => servers.create(), { onerror: (error) => log.warn(error.message) });
  let told = false;
  // Once only: a second signal would not let the calls in flight end.
  const end = (): void => {
    if (!told) process.kill(process.pid, 'SIGTERM');
    told = true;
  };
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdout.once('error', end);
  log.info('MCP on stdio');
  return {
    async stop() {
      await handle.close();
      // A payment that was sent is still waited for, so that its outcome is recorded.
      await servers.idle(stopWithinMs);
      await gateway.stop();
    },
  };
}

/** Shorter than the 10 s that a process has to stop. */
const stopWithinMs = 8000;
