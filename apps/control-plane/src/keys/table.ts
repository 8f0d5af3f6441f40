import { sqlTable } from '@countersign/service/sql-table';

export const keyTable = sqlTable('control_plane.api_key', 'k', [
  'id',
  'tenantId',
  'role',
  'name',
  'hash',
  'createdAt',
  'recordedAt',
  'revokedAt',
  'account',
  'person',
]);

/** A key as whoever calls with it. */
export const callerColumns = `${keyTable.columns.id} as "keyId", ${keyTable.list('tenantId', 'role', 'name')}`;
