import type { ChainPort, ExpiryPort } from '@countersign/gateway/ports/chain';
import type { Authorization } from '@countersign/protocol/gateway/x402';

export type Transfer = {
  readonly transaction: string;
  readonly nonce: string;
  readonly value: bigint;
  /** Ms of the simulation. */
  readonly at: number;
};

/**
 * A chain with one EIP-3009 token: an authorization moves money once, and only before its `validBefore` by the time of
 * the blocks. A node tells what was true a while ago.
 */
export class Chain {
  readonly transfers = new Map<string, Transfer>();
  readonly #now: () => number;
  /** Ms by which the time of blocks is ahead. */
  readonly #skewMs: number;
  /** Ms by which the node that is asked is behind. */
  readonly #lagMs: number;

  constructor(now: () => number, { skewMs, lagMs }: { readonly skewMs: number; readonly lagMs: number }) {
    this.#now = now;
    this.#skewMs = skewMs;
    this.#lagMs = lagMs;
  }

  /** The hash of the transaction; null when the token refuses it. */
  settle({ nonce, value, validAfter, validBefore }: Authorization): string | null {
    const isValid = this.#blockTime() > Number(validAfter) && this.#blockTime() < Number(validBefore);
    if (!isValid || this.transfers.has(nonce)) return null;
    const transaction = transactionOf(nonce);
    this.transfers.set(nonce, { transaction, nonce, value: BigInt(value), at: this.#now() });
    return transaction;
  }

  /** Whether money moves, has moved or may still. */
  canMove({ nonce, validBefore }: { readonly nonce: string; readonly validBefore: number }): boolean {
    return this.transfers.has(nonce) || this.#blockTime() < validBefore;
  }

  /** What a node answers now. */
  readonly node: {
    [K in 'authorizationUsed' | 'findSettlement' | 'staysUnused']: (
      query: Parameters<(ChainPort & ExpiryPort)[K]>[0],
    ) => Awaited<ReturnType<(ChainPort & ExpiryPort)[K]>>;
  } = {
    authorizationUsed: ({ transaction, nonce }) =>
      this.#seen(nonce)?.transaction === transaction ? 'yes' : 'no',
    findSettlement: ({ nonce }) => {
      const seen = this.#seen(nonce);
      return seen === undefined ? 'unused' : { transaction: seen.transaction };
    },
    staysUnused: ({ nonce, validBefore }) =>
      this.#blockTime(this.#lagMs) >= validBefore && this.#seen(nonce) === undefined,
  };

  #seen(nonce: string): Transfer | undefined {
    const transfer = this.transfers.get(nonce);
    return transfer !== undefined && transfer.at <= this.#now() - this.#lagMs ? transfer : undefined;
  }

  /** Unix seconds of the newest block, so many ms ago. */
  #blockTime(ago = 0): number {
    return Math.floor((this.#now() + this.#skewMs - ago) / 1000);
  }
}

/** Another nonce, another transaction. */
const transactionOf = (nonce: string): string => `0x${nonce.slice(2).split('').reverse().join('')}`;
