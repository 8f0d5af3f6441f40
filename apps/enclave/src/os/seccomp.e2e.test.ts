import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLibc } from './libc.ts';
import { seccompFilter } from './seccomp.ts';

const dir = mkdtempSync(join(tmpdir(), 'seccomp-'));
const servers: Server[] = [];
const program = fileURLToPath(new URL('../../test/under-filter.cjs', import.meta.url));

function listen(on: string | number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  return new Promise((resolve) => server.listen(on, () => resolve(server)));
}

let tcpPort: number;
const socket = join(dir, 'socket');
beforeAll(async () => {
  tcpPort = ((await listen(0)).address() as AddressInfo).port;
  await listen(socket);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(dir, { recursive: true });
});

const { arch } = process;
const canFilter = (await loadLibc()) !== null;

test.runIf(canFilter && (arch === 'x64' || arch === 'arm64'))(
  'under the filter nothing connects but to Unix sockets, no program starts and no process is looked into, in no thread [vault.enclave.seccomp]',
  async () => {
    const filter = seccompFilter(arch as 'x64', 'core').toString('hex');
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [program, filter, String(tcpPort), socket]);
    expect(JSON.parse(stdout)).toEqual({
      installed: 0,
      tcp: 'EPERM',
      thread: 'EPERM',
      unix: 'connected',
      program: 'EPERM',
      file: true,
      looksInto: false,
    });
  },
);
