import { statSync } from 'node:fs';
import { heldBy } from '@countersign/gateway/own-wallet/held';
import { bad, type Finding, note, ok } from '@countersign/local/doctor/finding';
import { main as doctor } from '@countersign/local/doctor/main';
import { type Amount, formatAmount, fromBaseUnits } from '@countersign/protocol/decimal';
import { parseUrl } from '@countersign/protocol/url';
import type { Env } from '@countersign/service/config';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { sayWhy } from '@countersign/service/lifecycle';
import { type ServiceWithDatabase, servicesWithDatabase } from '@countersign/service/service-databases';
import { examine } from '../migrate/examine.ts';
import { configurationFindings, servicesOf } from './configurations.ts';
import { isolationFindings } from './isolation.ts';
import { keyFindings } from './keys.ts';

/** `countersign doctor`: what is true of this machine, and of each service whose variables are set. */
export const main = (argv: readonly string[], env: Env): Promise<void> => doctor(argv, env, examineServices);

async function examineServices(env: Env): Promise<readonly Finding[]> {
  const here = servicesOf(env);
  const withTables = servicesWithDatabase.filter((name) => here.includes(name));
  const found = await Promise.all([
    ...here.map((service) => configurationFindings(service, env)),
    balanceFindings(env),
    ...withTables.map((service) => databaseFinding(service, env)),
    isolationFindings(env, here.includes('enclave')),
  ]);
  return [...keyFindings(env), ...fileFindings(env), ...found.flat()];
}

/** Files with keys that others on this machine can read. */
const fileFindings = (env: Env): readonly Finding[] =>
  ['CONTROL_TLS_KEY', 'ENCLAVE_ROOT_KEY_FILE'].flatMap((name) => {
    const mode = modeOf(env[name]?.trim() ?? '');
    return mode !== null && (mode & 0o077) !== 0
      ? [bad(`${name}: others on this machine can read that file: chmod 600`)]
      : [];
  });

function modeOf(file: string): number | null {
  try {
    return statSync(file).mode;
  } catch {
    return null;
  }
}

async function balanceFindings(env: Env): Promise<readonly Finding[]> {
  const rpcUrl = parseUrl(env['EVM_RPC_URL']?.trim() ?? '');
  if (rpcUrl === null || !/^https?:$/.test(rpcUrl.protocol)) return [];
  return (
    await Promise.all([
      balanceOf('EVM_PRIVATE_KEY', env, rpcUrl),
      balanceOf('ANCHOR_PRIVATE_KEY', env, rpcUrl),
    ])
  ).flat();
}

/** A gateway's wallet pays with USDC, and needs no coin; the audit log's publisher the other way round. */
async function balanceOf(
  name: 'EVM_PRIVATE_KEY' | 'ANCHOR_PRIVATE_KEY',
  env: Env,
  rpcUrl: URL,
): Promise<readonly Finding[]> {
  const wallet = walletOf(env[name]?.trim() ?? '');
  if (wallet === null) return [];
  try {
    const { token, units, wei, allowed } = await heldBy(rpcUrl, wallet);
    const isPayer = name === 'EVM_PRIVATE_KEY';
    const [held, unit] = isPayer
      ? [fromBaseUnits(units, token.decimals), 'USDC']
      : [fromBaseUnits(wei, 18), 'coin'];
    const text = `${name}: ${wallet} holds ${formatAmount(held)} ${unit} on eip155:${token.chainId}`;
    const standing =
      allowed === 0n ? [] : [note(allowanceText(name, wallet, fromBaseUnits(allowed, token.decimals)))];
    if (held > 0n) return [ok(text), ...standing];
    return [
      ...standing,
      isPayer
        ? note(`${text}: send it some to pay with`)
        : bad(`${text}: send it some to publish roots with`),
    ];
  } catch (error) {
    return [note(`${name}: what ${wallet} holds is not known: ${sayWhy(error)}`)];
  }
}

/**
 * Returns the warning about an open Permit2 allowance: whoever can have this key sign for Permit2 can spend
 * all of it.
 */
const allowanceText = (name: string, wallet: string, allowed: Amount): string =>
  `${name}: ${wallet} has allowed Permit2 to move ${formatAmount(allowed)} USDC, so whatever this key signs for Permit2 is money: approve 0 unless a service needs it`;

function walletOf(text: string): ReturnType<typeof addressOfPrivateKey> | null {
  try {
    return /^0x[0-9a-f]{64}$/i.test(text) ? addressOfPrivateKey(Buffer.from(text.slice(2), 'hex')) : null;
  } catch {
    return null;
  }
}

const outcomes = { 0: ok, 1: note, 3: bad } as const;

async function databaseFinding(service: ServiceWithDatabase, env: Env): Promise<readonly Finding[]> {
  const { code, text } = await examine(service, env);
  const isPrivate = (env['DATABASE_URL'] ?? '').trim() === '';
  const what = text.replaceAll(/\n {2}/g, ', ').replace(/^(.{0,300}).*$/s, '$1');
  // A private database runs with its service alone.
  const tell = code === 3 && isPrivate && text.startsWith('no private') ? note : outcomes[code];
  return [tell(`${service}: its database: ${what}`)];
}
