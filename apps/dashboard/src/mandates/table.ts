import { sqlTable } from '@countersign/service/sql-table';

/** Of money only what is written as it is; read, it is trimmed or text (`columns` in the store, the export). */
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
