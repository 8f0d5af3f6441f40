import { z } from 'zod';

/**
 * A wallet's signature, wherever it signs: at most 16,383 bytes in hex. A contract decides what its signatures look like,
 * and one that is not deployed yet sends along how to deploy it (ERC-6492).
 */
export const signature = z.string().max(32_768);
