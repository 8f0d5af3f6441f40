import type { Address } from '@countersign/protocol/address';
import { Pool } from 'undici';
import { type Ask, hexNumber, jsonRpc } from '../adapters/json-rpc.ts';
import { knownTokens, type Token } from '../rules/tokens.ts';

/** What a wallet holds on the chain of a node: units of USDC, and of the chain's own coin, which has 18 digits. */
export type Held = { readonly token: Token; readonly units: bigint; readonly wei: bigint };

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
    throw new Error('EVM_RPC_URL does not answer: is it a JSON-RPC node, and up?');
  const token = knownTokens.find((known) => BigInt(known.chainId) === chainId);
  if (token === undefined) throw new Error(`EVM_RPC_URL is of eip155:${chainId}, where no USDC is known`);
  const data = `0x70a08231${wallet.slice(2).toLowerCase().padStart(64, '0')}`;
  const [units, wei] = await Promise.all([
    ask(hexNumber, 'eth_call', [{ to: token.address, data }, 'latest']),
    ask(hexNumber, 'eth_getBalance', [wallet, 'latest']),
  ]);
  if (units === undefined || wei === undefined)
    throw new Error('EVM_RPC_URL does not say what the wallet holds: try again');
  return { token, units, wei };
}
