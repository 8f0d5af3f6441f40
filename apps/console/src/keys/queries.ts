import { ask } from '../api/queries.ts';

/** Every API key of the account, newest first. */
export const keys = ask('GET /api/keys', {});
