import { Buffer } from 'buffer/';
import { config } from 'zod';

// The log's checks are written for Node, where this is there without being asked for.
(globalThis as { Buffer?: unknown }).Buffer ??= Buffer;

// The page's policy lets no text become code.
config({ jitless: true });

export { Buffer };
