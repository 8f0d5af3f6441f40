import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectEnclave, type EnclaveClient } from '@countersign/service/enclave-client';
import { silent } from './core-on-socket.ts';
import { program } from './jails.ts';

export type RunningEnclave = {
  /** Of the launcher. */
  readonly child: ChildProcess;
  readonly client: EnclaveClient;
  readonly stop: () => Promise<void>;
};

/** `countersign enclave`: launcher, core and egress proxy as processes of their own. */
export async function startEnclaveProcess(): Promise<RunningEnclave> {
  const dir = mkdtempSync(join(tmpdir(), 'running-enclave-'));
  const socket = join(dir, 'enclave.sock');
  const child = spawn(process.execPath, [program, 'enclave'], {
    env: {
      PATH: process.env['PATH'],
      ENCLAVE_SOCKET: socket,
      ENCLAVE_DATA_DIR: join(dir, 'data'),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the enclave ended with ${code}`)));
  });
  const client = connectEnclave(socket, silent);
  await client.whenConnected();
  return {
    child,
    client,
    stop: async () => {
      client.close();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await new Promise((resolve) => child.once('exit', resolve));
      }
      // A core whose launcher was killed may still be writing its last.
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
