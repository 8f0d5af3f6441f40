import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '@countersign/protocol/result';
import { connectEnclave, type EnclaveClient } from '@countersign/service/enclave-client';
import { createLogger } from '@countersign/service/logger';
import { type CoreOptions, startCore } from '../src/core/core.ts';
import { trust } from '../src/core/broker/reach.ts';
import { openMemory } from '../src/core/keys/secret-memory.ts';
import { workHere } from '../src/core/session/worker/here.ts';
import { simulatedTee } from '../src/core/tee/simulated.ts';

export const silent = createLogger('enclave', 'silent');

const nothing = {
  ownUser: false,
  noNetwork: false,
  noCoreDumps: false,
  noPtrace: false,
  namespaces: false,
  seccomp: false,
  secretMemory: false,
};

export type RunningCore = {
  readonly dir: string;
  readonly socket: string;
  readonly client: EnclaveClient;
  readonly stop: () => Promise<void>;
};

/** The enclave's core in this process, on a socket, with a client. A directory of its own unless one is given. */
export async function startOnSocket(about: Partial<CoreOptions> = {}): Promise<RunningCore> {
  const dir = about.dir ?? mkdtempSync(join(tmpdir(), 'enclave-'));
  const core = await startCore({
    dir,
    tee: simulatedTee({ dir, program: fileURLToPath(import.meta.url) }),
    origin: 'vault.example/audit',
    isolate: () => Promise.resolve(nothing),
    memory: openMemory,
    browsers: { start: () => Promise.resolve(fail('there are no browsers here')), about: () => null },
    runConnector: () => Promise.reject(new Error('there are no connectors here')),
    out: { dial: () => Promise.resolve(fail('unreachable')), secureContext: trust(null) },
    secondJudge: null,
    startThread: workHere,
    now: Date.now,
    log: silent,
    ...about,
  });
  const socket = join(dir, 'enclave.sock');
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (connection) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection));
    core.take(connection);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const client = connectEnclave(socket, silent);
  await client.whenConnected();
  return {
    dir,
    socket,
    client,
    stop: async () => {
      client.close();
      for (const connection of open) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      await core.stop();
      if (about.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}
