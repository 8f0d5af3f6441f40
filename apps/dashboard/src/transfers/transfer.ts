import type { Address } from '@countersign/protocol/address';
import { parseAmount, toBaseUnits } from '@countersign/protocol/decimal';
import { chainNames } from '@countersign/protocol/dashboard/chains';
import { spelledHash, spelledToken } from '@countersign/protocol/dashboard/spelling';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { keccak256 } from '@countersign/service/ethereum/keccak';

/** The token whose transfers we look for. */
export type Token = { readonly chainId: number; readonly address: Address };

/** A transaction of the chain, as far as it tells of transfers. */
export type Receipt = {
  readonly succeeded: boolean;
  readonly block: bigint;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
};

/** The transfer that a report claims. */
export type Claimed = Pick<TransactionReport, 'chain' | 'serviceResult'> & {
  readonly [name in 'txHash' | 'tokenSymbol' | 'amount' | 'payer' | 'payee']?: string | null | undefined;
};

/** A transfer that a report claims, in units of the token. */
type Transfer = {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

const decimals = 6;

/** The transfer that a report claims, if it is one of this token; null for a report that claims none. */
export function transferOf(claimed: Claimed, { chainId }: Token): Transfer | null {
  const { chain, serviceResult, txHash, tokenSymbol, amount, payer, payee } = claimed;
  if (serviceResult === 'reject' || chainNames(chain)[0] !== `eip155:${chainId}`) return null;
  if (tokenSymbol != null && spelledToken(tokenSymbol) !== 'USDC') return null;
  if (txHash == null || amount == null || payer == null || payee == null) return null;
  const units = unitsOf(amount);
  const hash = spelledHash(chain, txHash).toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(hash) || units === null) return null;
  return { hash, from: payer, to: payee, units };
}

/** Null for nothing, and for what the token cannot express. */
function unitsOf(text: string): bigint | null {
  const amount = parseAmount(text);
  const units = amount === null ? null : toBaseUnits(amount, decimals);
  return units === null || units === 0n ? null : units;
}

/** ERC-20: `Transfer(address indexed from, address indexed to, uint256 value)`. */
const transferTopic = `0x${Buffer.from(keccak256('Transfer(address,address,uint256)')).toString('hex')}`;

const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/**
 * Returns whether a transaction made exactly this transfer of this token: the same parties, the same amount.
 */
export function isIn({ succeeded, logs }: Receipt, { from, to, units }: Transfer, token: Token): boolean {
  const wanted = [transferTopic, word(from), word(to)];
  const data = `0x${units.toString(16).padStart(64, '0')}`;
  return (
    succeeded &&
    logs.some(
      ({ address, topics, data: value }) =>
        address.toLowerCase() === token.address.toLowerCase() &&
        topics.length === wanted.length &&
        wanted.every((topic, i) => topics[i]?.toLowerCase() === topic) &&
        value.toLowerCase() === data,
    )
  );
}
