import type { VaultAnswer } from '../http.ts';

/** A record as the vault's log lists it. */
export type AuditRecord = VaultAnswer<'GET /api/v1/audit/logs'>['items'][number];
