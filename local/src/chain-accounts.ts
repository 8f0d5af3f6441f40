import { setTimeout as sleep } from 'node:timers/promises';
import { usdcAddress } from '@countersign/contracts/addresses';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { callRpc } from './json-rpc.ts';

/** Gives an account 1000 ETH of the local chain, so that it can pay for gas. */
export async function fundGas(rpcUrl: string, address: string): Promise<void> {
  await callRpc(rpcUrl, 'anvil_setBalance', [address, `0x${(1000n * 10n ** 18n).toString(16)}`]);
}

/** Makes so many base units of the local USDC (6 decimals) out of nothing; they are there when this resolves. */
export async function mint(
  rpcUrl: string,
  to: string,
  baseUnits: bigint,
  token = usdcAddress,
): Promise<void> {
  const [from] = (await callRpc(rpcUrl, 'eth_accounts', [])) as string[];
  const data = encodeCall('mint(address,uint256)', to, baseUnits);
  const hash = await callRpc(rpcUrl, 'eth_sendTransaction', [{ from, to: token, data }]);
  // The node answers before it mines.
  while ((await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) === null) await sleep(2);
}

/** Base units (6 decimals) of the local USDC that an account holds. */
export async function balanceOf(rpcUrl: string, address: string, token = usdcAddress): Promise<bigint> {
  const data = encodeCall('balanceOf(address)', address);
  return BigInt((await callRpc(rpcUrl, 'eth_call', [{ to: token, data }, 'latest'])) as string);
}

/** Calldata for arguments of one word each. By hand, because viem costs the starter 0.3 s for two calls. */
function encodeCall(signature: string, ...args: readonly (string | bigint)[]): string {
  const selector = Buffer.from(keccak256(signature).subarray(0, 4)).toString('hex');
  const words = args.map((arg) => BigInt(arg).toString(16).padStart(64, '0'));
  return `0x${selector}${words.join('')}`;
}
