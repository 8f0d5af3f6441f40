import { sqlTable } from '@countersign/service/sql-table';

export const recordTable = sqlTable('dashboard.oauth_record', 'r', [
  'kind',
  'idHash',
  'grantId',
  'payload',
  'createdAt',
  'expiresAt',
  'consumedAt',
]);
