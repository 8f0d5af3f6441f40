import { z } from 'zod';

/** A hash of a proof: 32 bytes in lower-case hex. */
export const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

const chainHex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`));

/** The on-chain location of a log root, with a proof that the checkpoint's tree extends that root's tree. */
export const anchor = z.strictObject({
  chainId: z.int().min(1),
  contract: chainHex(20),
  logId: chainHex(32),
  size: z.int().min(1),
  root: chainHex(32),
  flags: z.int().min(0).max(255),
  transactionHash: chainHex(32),
  blockNumber: z.int().min(0),
  /** Consistency proof (RFC 6962) from the anchored tree to the checkpoint's. */
  consistency: z.array(hex32),
});
export type Anchor = z.infer<typeof anchor>;

/** The same as the chain alone tells it. */
export type OnChain = Omit<Anchor, 'logId' | 'consistency'>;
