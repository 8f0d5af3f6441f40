import { sqlTable } from '@countersign/service/sql-table';

/**
 * Lists only the money columns that are written as they are; reading trims them or makes them text (`columns`
 * in the store, the export).
 */
export const mandateTable = sqlTable('dashboard.mandate', 'm', [
  'id',
  'accountId',
  'agentWallet',
  'title',
  'status',
  'perTxLimit',
  'totalBudget',
  'transactionCount',
  'lastUsedAt',
  'signature',
  'vcJson',
  'createdAt',
  'activatedAt',
  'expiresAt',
  'deletedAt',
  'paused',
  'periodEvery',
  'allowedMerchants',
  'allowedServices',
  'newPayees',
]);
