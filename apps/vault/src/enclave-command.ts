import { type Env, exitOnBadConfig } from '@countersign/service/config';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { reachEnclave } from '@countersign/service/reach-enclave';
import { readSocketConfig } from './config.ts';

export type EnclaveCommandAbout = {
  /** The command's name, as typed after `countersign`. */
  readonly name: string;
  readonly help: string;
  /** The options that may follow the name. */
  readonly options?: readonly string[];
  /** Gives the line that says what was done; throws when it was not. */
  readonly act: (enclave: EnclaveClient, argv: readonly string[]) => Promise<string>;
};

/** A command that has something done by the enclave alone, and ends the process when that was not done. */
export async function runEnclaveCommand(
  { name, help, options = [], act }: EnclaveCommandAbout,
  argv: readonly string[],
  env: Env,
): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  const unknown = argv.find((word) => !options.includes(word));
  if (unknown !== undefined) {
    process.stderr.write(`${name}: cannot understand "${unknown}". Try --help.\n`);
    process.exit(2);
  }
  const socket = exitOnBadConfig('vault', readSocketConfig(env));
  let enclave: EnclaveClient | undefined;
  try {
    enclave = await reachEnclave(socket, createLogger('vault', 'error'));
    process.stdout.write(`${await act(enclave, argv)}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${sayWhy(error)}\n`);
    process.exit(1);
  } finally {
    enclave?.close();
  }
}
