import { ask } from '../api/queries.ts';

export const recoveryState = ask('GET /api/recovery', {});
