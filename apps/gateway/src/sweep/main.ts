import { randomBytes } from 'node:crypto';
import { formatAmount, fromBaseUnits } from '@countersign/protocol/decimal';
import { sweepText } from '@countersign/protocol/gateway/sweep';
import { type Env, url, Variables } from '@countersign/service/config';
import { oneAddress, privateKey } from '../config.ts';
import { heldBy } from '../own-wallet/held.ts';
import { createWallet } from '../wallet.ts';
import { signSweep } from './sweep.ts';

/** `countersign wallet sweep`, also `gateway sweep`: signs what an agent's wallet holds over to its owner. Sends nothing itself. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  if (argv.length > 0) {
    process.stderr.write('wallet sweep: takes no options. Try "countersign wallet sweep --help".\n');
    process.exitCode = 2;
    return;
  }
  const { key, owner, rpcUrl } = readSettings(env);
  const wallet = createWallet(key);
  if (wallet.address === owner)
    throw new Error(
      'OWNER_ADDRESS is the wallet of EVM_PRIVATE_KEY: there is no owner to return its money to',
    );
  const held = await heldBy(rpcUrl, wallet.address);
  if (held.units === 0n) throw new Error(`${wallet.address} holds no USDC on eip155:${held.token.chainId}`);
  const nonce = `0x${randomBytes(32).toString('hex')}` as const;
  process.stderr.write(
    `${formatAmount(fromBaseUnits(held.units, held.token.decimals))} USDC of ${wallet.address} to its owner ${owner}, within an hour.\n` +
      'In the console, open the agent, choose “Take money back” and paste this:\n',
  );
  process.stdout.write(`${sweepText(signSweep(wallet, owner, held, Date.now(), nonce))}\n`);
}

function readSettings(env: Env) {
  const vars = new Variables(env);
  const settings = vars.finish({
    key: vars.required('EVM_PRIVATE_KEY', privateKey, 'the agent’s key, 0x and 64 hex digits'),
    owner: vars.required('OWNER_ADDRESS', oneAddress, 'the address of the wallet that owns the agent'),
    rpcUrl: vars.required(
      'EVM_RPC_URL',
      url('http:', 'https:'),
      'a JSON-RPC node of the chain that it pays on',
    ),
  });
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  return settings.value;
}

const help = `countersign wallet sweep   (also: countersign gateway sweep)

Returns the money in an agent's wallet to its owner. It signs, with the agent's key, an EIP-3009
authorization to transfer the wallet's whole USDC balance to OWNER_ADDRESS, valid for an hour, and
prints it. The owner pastes it in the console, on the agent's page ("Take money back"); the owner's
wallet submits it and pays the network fee. It cannot move money to anybody else. Stop the agent
first: otherwise its payments may fail for lack of funds.

Variables (the gateway's own):
  EVM_PRIVATE_KEY   the agent's key
  OWNER_ADDRESS     the wallet that owns the agent
  EVM_RPC_URL       a JSON-RPC node of the chain that it pays on

Examples:
  countersign wallet sweep
  EVM_PRIVATE_KEY=$(cat researcher.key) countersign wallet sweep > authorization.txt
`;
