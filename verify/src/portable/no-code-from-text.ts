import { config } from 'zod';

// Many pages' policies let no text become code. The package carries its own Zod: nobody else's is told.
config({ jitless: true });
