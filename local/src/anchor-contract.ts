import { setTimeout as sleep } from 'node:timers/promises';
import { auditAnchor } from '@countersign/contracts/audit-anchor';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { callRpc } from './json-rpc.ts';

/** The proxy that deploys to addresses which follow from the code (EIP-1014). anvil has it, like nearly every chain. */
const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const salt = '00'.repeat(32);

/**
 * `AuditAnchor` of this publisher on a local chain. It is deployed once: its address follows from its code and the
 * publisher, so a later start finds it there.
 */
export async function deployAnchor(rpcUrl: string, publisher: Address): Promise<Address> {
  const code = `${auditAnchor.bytecode.slice(2)}${publisher.slice(2).toLowerCase().padStart(64, '0')}`;
  const address = addressOf(code);
  if ((await callRpc(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x') return address;

  const [from] = (await callRpc(rpcUrl, 'eth_accounts', [])) as string[];
  const transaction = { from, to: deployer, data: `0x${salt}${code}` };
  const hash = await callRpc(rpcUrl, 'eth_sendTransaction', [transaction]);
  // The node answers before it mines.
  while ((await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) === null) await sleep(2);
  return address;
}

function addressOf(code: string): Address {
  const codeHash = Buffer.from(keccak256(Buffer.from(code, 'hex'))).toString('hex');
  const named = Buffer.from(`ff${deployer.slice(2)}${salt}${codeHash}`, 'hex');
  const address = parseAddress(`0x${Buffer.from(keccak256(named).subarray(12)).toString('hex')}`);
  if (address === null) throw new Error('a hash gave no address');
  return address;
}
