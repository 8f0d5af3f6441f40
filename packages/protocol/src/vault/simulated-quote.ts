import { z } from 'zod';

/**
 * The quote of a TEE that is simulated. It begins with these bytes, so that anyone sees what it is; after them stands
 * the RFC 8785 text of a `simulatedQuote`.
 */
export const simulatedQuotePrefix = 'SIMULATED-TEE-NOT-HARDWARE\n';

/** Seed of the Ed25519 key that signs, in hex. It is public: the signature shows that nothing was cut, and proves nothing. */
export const simulatedQuoteSeed = '53494d554c415445442d5445452d4e4f542d4841524457415245000000000000';

export const simulatedQuote = z.strictObject({
  v: z.literal(1),
  /** Lower-case hex, 64 bytes. */
  reportData: z.string().regex(/^[0-9a-f]{128}$/),
  /** `sim:` and the SHA-256 of the program in lower-case hex. */
  measurement: z.string().regex(/^sim:[0-9a-f]{64}$/),
  /** Base64 of 64 bytes: Ed25519 over the prefix and the RFC 8785 text of the quote without this field. */
  signature: z.base64().length(88),
});
export type SimulatedQuote = z.infer<typeof simulatedQuote>;
