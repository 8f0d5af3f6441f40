/** A root on chain. */
export type AnchoredRoot = {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
  /** Bit 0: the log is kept in a simulated TEE. */
  readonly flags: number;
};

export type Publication = AnchoredRoot & {
  /** Hex with 0x, as chains write it. */
  readonly transactionHash: string;
  readonly blockNumber: number;
};

/** Reads the contract `AuditAnchor`. Every method rejects if the chain cannot be reached. */
export type AnchorReader = {
  /** The newest root of a log; null before the first. */
  readonly latest: (logId: Buffer) => Promise<AnchoredRoot | null>;
  /** The transaction that published the root of this size; null when none did. */
  readonly published: (logId: Buffer, size: number) => Promise<Publication | null>;
};

/** Who may publish, too. */
export type AnchorChain = AnchorReader & {
  /**
   * Publishes a root and resolves when it is mined. Rejects when it is not, and then it may be mined later still;
   * a further attempt takes the place of one that waits, so each one offers more for its gas.
   */
  readonly publish: (
    next: AnchoredRoot & { readonly logId: Buffer; readonly prevRoot: Buffer },
    attempt: number,
  ) => Promise<{ readonly transactionHash: string }>;
};
