import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@countersign/service/free-port';
import type { OwnedProcesses } from '@countersign/service/owned-process';
import { connectHttp } from './caller.ts';
import { type Contestant, untilServing } from './contestant.ts';
import { connectSse } from './sse-caller.ts';

const folder = fileURLToPath(new URL('../peers', import.meta.url));
export const bareProxy = fileURLToPath(new URL('../bare-proxy.js', import.meta.url));
export const echoService = fileURLToPath(new URL('../echo-service.js', import.meta.url));

/** Installs the peers from their own lockfile, if that has not been done. Says why when it cannot be done. */
export function installPeers(say: (line: string) => void): string | null {
  const installed = modifiedAt(join(folder, 'node_modules/.package-lock.json'));
  if (installed >= modifiedAt(join(folder, 'package-lock.json'))) return null;
  say('installing the peers (npm ci in bench/peers, about 15 s)');
  try {
    execFileSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--loglevel=error'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 180_000,
    });
    return null;
  } catch (error) {
    return `not installed: ${error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : 'npm failed'}`;
  }
}

function modifiedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/**
 * The other proxies, each in the cheapest setting that its options allow. Two of them can reach a service only
 * over stdio when they serve HTTP; the service they start is not counted as theirs.
 */
export function peers(processes: OwnedProcesses, dir: string, serviceUrl: string): readonly Contestant[] {
  const modules = join(folder, 'node_modules');
  const stdioService = [process.execPath, echoService, '--stdio'];
  const http = (
    name: string,
    reaches: Contestant['reaches'],
    args: (port: number) => readonly string[],
  ): Contestant => ({
    name,
    reaches,
    async start() {
      const port = await freePort();
      const child = processes.spawn({ name, command: process.execPath, args: args(port) });
      return untilServing(child, () => connectHttp(`http://127.0.0.1:${port}/mcp`, { tool: 'echo' }));
    },
  });
  return [
    mcpHub(processes, dir, modules, serviceUrl),
    http('mcp-proxy 6.7.19, library', 'http', (port) => [
      join(folder, 'mcp-proxy-http.js'),
      String(port),
      serviceUrl,
    ]),
    http('mcp-proxy 6.7.19, stdio service', 'stdio', (port) => {
      const options = [
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--server',
        'stream',
        '--no-eventStore',
      ];
      return [join(modules, 'mcp-proxy/dist/bin/mcp-proxy.mjs'), ...options, '--', ...stdioService];
    }),
    http('supergateway 4.0.0, stdio service', 'stdio', (port) => {
      const output = ['--outputTransport', 'streamableHttp', '--stateful', '--port', String(port)];
      const service = ['--stdio', stdioService.join(' ')];
      return [join(modules, 'supergateway/dist/index.js'), ...service, ...output, '--logLevel', 'none'];
    }),
    http('FastMCP 4.20.16, forwarding tool', 'http', (port) => [
      join(folder, 'fastmcp-forward.js'),
      String(port),
      serviceUrl,
    ]),
  ];
}

/** It takes agents over the older pair of endpoints only, and prefixes a tool with its server's name. */
function mcpHub(processes: OwnedProcesses, dir: string, modules: string, serviceUrl: string): Contestant {
  const name = 'mcp-hub 4.2.1, SSE in';
  return {
    name,
    reaches: 'http',
    async start() {
      const home = mkdtempSync(join(dir, 'mcp-hub-'));
      const config = join(home, 'config.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { echo: { url: serviceUrl } } }));
      const port = await freePort();
      const child = processes.spawn({
        name,
        command: process.execPath,
        args: [join(modules, 'mcp-hub/dist/cli.js'), '--port', String(port), '--config', config],
        env: { PATH: process.env['PATH'], HOME: home },
      });
      return untilServing(child, () => connectSse(`http://127.0.0.1:${port}/mcp`, { tool: 'echo__echo' }));
    },
  };
}
