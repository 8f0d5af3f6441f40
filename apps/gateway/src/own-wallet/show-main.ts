import { parseArgs } from 'node:util';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { formatAmount, fromBaseUnits } from '@countersign/protocol/decimal';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Env, url, Variables } from '@countersign/service/config';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { oneAddress, privateKey } from '../config.ts';
import { heldBy } from './held.ts';
import { readKeyFile } from './key-file.ts';

/** `countersign wallet show`: the address of a wallet, and what it holds where a node is named. Shows no key. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) return refuse(`${asked.error}. "countersign wallet show --help" explains.`, 2);
  if (asked.value.help) return void process.stdout.write(help);
  const settings = readSettings(env);
  if (!settings.ok) return refuse(settings.error.join('\n'), 1);
  const { key, owner, rpcUrl } = settings.value;
  const { named } = asked.value;
  const wallet = named === null ? key : walletOf(named);
  if (!wallet.ok) return refuse(wallet.error, 1);
  say('address', wallet.value);
  if (named === null && owner !== undefined) say('owner', owner);
  if (rpcUrl === undefined) return say('balances', 'unknown: name a node of the chain in EVM_RPC_URL');
  const { token, units, wei } = await heldBy(rpcUrl, wallet.value);
  say('chain', `eip155:${token.chainId}`);
  say(token.symbol, formatAmount(fromBaseUnits(units, token.decimals)));
  say('coin', `${formatAmount(fromBaseUnits(wei, 18))} (of the chain; payments need none)`);
}

const say = (name: string, value: string): void => void process.stdout.write(`${name.padEnd(9)} ${value}\n`);

function refuse(why: string, code: 1 | 2): void {
  process.stderr.write(`wallet show: ${why}\n`);
  process.exitCode = code;
}

function walletOf(named: string): Result<Address, string> {
  const address = parseAddress(named);
  if (address !== null) return ok(address);
  if (/^0x[0-9a-f]{40}$/i.test(named)) return fail(`${named} is not an address: its checksum is wrong`);
  if (/^(0x)?[0-9a-f]{64}$/i.test(named))
    return fail('a key does not belong among the arguments, which others on this machine see: name its file');
  const key = readKeyFile(named);
  return key.ok ? ok(addressOfPrivateKey(key.value)) : key;
}

function readSettings(env: Env) {
  const vars = new Variables(env);
  const key = vars.optional('EVM_PRIVATE_KEY', privateKey);
  return vars.finish({
    key:
      key === undefined
        ? fail('name a wallet: an address, the file of its key, or EVM_PRIVATE_KEY')
        : ok(addressOfPrivateKey(key)),
    owner: vars.optional('OWNER_ADDRESS', oneAddress),
    rpcUrl: vars.optional('EVM_RPC_URL', url('http:', 'https:')),
  });
}

/** `named` null: the wallet of EVM_PRIVATE_KEY. */
type Asked = { readonly help: boolean; readonly named: string | null };

function readArguments(argv: readonly string[]): Result<Asked, string> {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (positionals.length > 1) return fail('name one wallet');
    return ok({ help: values.help === true, named: positionals[0] ?? null });
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = { help: { type: 'boolean', short: 'h' } } as const;

const help = `countersign wallet show [ADDRESS | FILE]

Prints the address of a wallet and what it holds: USDC, and the chain's own coin. Without an
argument it is the gateway's wallet. Shows no key and changes nothing.

  ADDRESS   any wallet
  FILE      the file of a key, as "countersign wallet new" writes it

Variables, those of the gateway:
  EVM_PRIVATE_KEY   its wallet
  OWNER_ADDRESS     whose agent it is
  EVM_RPC_URL       a JSON-RPC node of the chain; without it no balances

Examples:
  EVM_RPC_URL=https://node.example countersign wallet show researcher.key
  countersign wallet show 0x33d1a7ab53d6a3cfa2e62a6b9cd5e9f0e6a0d5c1
`;
