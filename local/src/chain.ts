import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { multicall3Address, usdcAddress } from '@countersign/contracts/addresses';
import { testUsdc } from '@countersign/contracts/test-usdc';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { freePort } from '@countersign/service/free-port';
import type { Logger } from '@countersign/service/logger';
import { findPart } from '@countersign/service/heavy-part';
import { makeFolder } from '@countersign/service/make-folder';
import { endedText, type OwnedChild, type OwnedProcesses } from '@countersign/service/owned-process';
import { fundGas } from './chain-accounts.ts';
import { openChainGate } from './chain-gate.ts';
import { callRpc } from './json-rpc.ts';
import { multicall3Code } from './multicall3.ts';
import { assertFree } from './port.ts';

export type ChainOptions = {
  /** The directory of the chain's state. */
  readonly dir: string;
  readonly port: number;
  readonly processes: Pick<OwnedProcesses, 'spawn'>;
  /** These accounts can pay for gas from the start. */
  readonly funded?: readonly string[];
  readonly log?: Logger;
};

export type Chain = {
  readonly rpcUrl: string;
  readonly chainId: typeof chainId;
  readonly tokenAddress: Address;
  /** Writes the state, then ends the chain. */
  readonly stop: () => Promise<void>;
};

// Base Sepolia's, because x402 v1 knows networks by name only and has none for a local chain.
const chainId = 84532;

/**
 * A local EVM chain that mines at once, with USDC and Multicall3 where Base Sepolia has them. A second start
 * on the same directory goes on where the first stopped; after a crash, at most two seconds before it.
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  // Asked first: another chain that answers there would look like ours.
  await assertFree(options.port);
  makeFolder(options.dir);
  const state = keptState(options.dir, options.log);
  const inner = { host: hiddenHost(), port: await freePort() };
  const anvil = options.processes.spawn({
    name: 'chain',
    command: anvilPath(options.dir),
    args: anvilArgs(inner, state),
  });
  const closeGate = await openChainGate(options.port, inner);
  void anvil.exited.then(closeGate);
  const rpcUrl = `http://127.0.0.1:${options.port}`;
  await untilAnswering(rpcUrl, anvil);

  await callRpc(rpcUrl, 'anvil_setCode', [usdcAddress, testUsdc.deployedBytecode]);
  await callRpc(rpcUrl, 'anvil_setCode', [multicall3Address, multicall3Code]);
  for (const account of options.funded ?? []) await fundGas(rpcUrl, account);

  const tokenAddress = parseAddress(usdcAddress);
  if (tokenAddress === null) throw new Error('the token address is none');
  const stop = async () => {
    await anvil.stop();
  };
  return { rpcUrl, chainId, tokenAddress, stop };
}

/**
 * Where no page of a browser finds the chain behind its gate: Linux has 2^24 addresses of its own, other systems one.
 */
const hiddenHost = (): string =>
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
    : '127.0.0.1';

type Inner = { readonly host: string; readonly port: number };

const anvilArgs = ({ host, port }: Inner, state: string): string[] => {
  const where = ['--host', host, '--port', String(port), '--chain-id', String(chainId), '--no-cors'];
  // Written on exit, and every two seconds for the case that there is no orderly exit.
  const kept = ['--state', state, '--state-interval', '2'];
  // Silent, yet errors still reach stderr, where the supervisor keeps the last lines.
  return ['--silent', ...where, ...kept];
};

/** The binary itself: npm's `anvil` is a script that would stand between us and the process to stop. */
function anvilPath(dir: string): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  return findPart(`@foundry-rs/anvil-${process.platform}-${cpu}/bin/${file}`, dir);
}

/**
 * The state file to start from. anvil writes it in place, so a kill can tear it; then the copy made at the
 * last good start is used. Deleting a torn file costs play money only.
 */
function keptState(dir: string, log: Logger | undefined): string {
  const state = join(dir, 'chain.json');
  const lastGood = join(dir, 'chain.last-good.json');
  if (isJson(state)) copyFileSync(state, lastGood);
  else if (existsSync(state)) {
    log?.warn('the chain was killed while it wrote its state; it goes on from its last start');
    rmSync(state);
    if (isJson(lastGood)) copyFileSync(lastGood, state);
  }
  return state;
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

const startDeadlineMs = 20_000;

async function untilAnswering(rpcUrl: string, anvil: OwnedChild): Promise<void> {
  const deadline = Date.now() + startDeadlineMs;
  const ended = anvil.exited.then((how) => {
    throw new Error(`the chain ${endedText(how)}`);
  });
  ended.catch(() => {});
  while (!(await Promise.race([answers(rpcUrl), ended]))) {
    if (Date.now() > deadline) throw new Error(`the chain did not answer at ${rpcUrl} within 20 s`);
    await Promise.race([sleep(15), ended]);
  }
}

async function answers(rpcUrl: string): Promise<boolean> {
  try {
    return Number(await callRpc(rpcUrl, 'eth_chainId', [])) === chainId;
  } catch {
    return false;
  }
}
