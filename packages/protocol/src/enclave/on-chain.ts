import { z } from 'zod';

/** A root of the audit log as the chain has it. */
export const onChain = z.strictObject({
  chainId: z.int().min(1),
  contract: z.string(),
  size: z.int().min(1),
  /** 0x and 32 bytes in hex. */
  root: z.string(),
  flags: z.int().min(0).max(255),
  transactionHash: z.string(),
  blockNumber: z.int().min(0),
});
