import type { Address } from '@countersign/protocol/address';
import { permit2Address } from '@countersign/protocol/gateway/permit2';
import { Pool } from 'undici';
import { type Ask, hexNumber, jsonRpc } from '../adapters/json-rpc.ts';
import { selectorOf, word } from '../adapters/logs.ts';
import { knownTokens, type Token } from '../rules/tokens.ts';

/**
 * What a wallet holds on the chain of a node: units of USDC, and of the chain's own coin, which has 18 digits; and the units of USDC
 * that it has allowed Permit2 to move.
 */
export type Held = {
  readonly token: Token;
  readonly units: bigint;
  readonly wei: bigint;
  readonly allowed: bigint;
};

/** Asks the node of EVM_RPC_URL. Throws one sentence where it does not tell. */
export async function heldBy(rpcUrl: URL, wallet: Address): Promise<Held> {
  const pool = new Pool(rpcUrl.origin);
  try {
    return await askHeld(jsonRpc(pool, rpcUrl.pathname + rpcUrl.search, 10_000), wallet);
  } finally {
    await pool.close();
  }
}

async function askHeld(ask: Ask, wallet: Address): Promise<Held> {
  const chainId = await ask(hexNumber, 'eth_chainId', []);
  if (chainId === undefined || chainId > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error('EVM_RPC_URL does not respond: is it a running JSON-RPC node?');
  const token = knownTokens.find((known) => BigInt(known.chainId) === chainId);
  if (token === undefined) throw new Error(`EVM_RPC_URL is of eip155:${chainId}, where no USDC is known`);
  const read = (selector: string, ...addresses: readonly string[]) => {
    const data = `${selector}${addresses.map((each) => word(each).slice(2)).join('')}`;
    return ask(hexNumber, 'eth_call', [{ to: token.address, data }, 'latest']);
  };
  const [units, wei, allowed] = await Promise.all([
    read(selectorOf('balanceOf(address)'), wallet),
    ask(hexNumber, 'eth_getBalance', [wallet, 'latest']),
    read(selectorOf('allowance(address,address)'), wallet, permit2Address),
  ]);
  if (units === undefined || wei === undefined || allowed === undefined)
    throw new Error('EVM_RPC_URL does not report the wallet’s balance: try again');
  return { token, units, wei, allowed };
}
