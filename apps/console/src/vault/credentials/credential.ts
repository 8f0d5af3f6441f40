import type { VaultAnswer } from '../http.ts';

/** A credential as the vault lists it: never its value. */
export type Credential = VaultAnswer<'GET /api/v1/credentials'>['items'][number];
