import { sqlTable } from '@countersign/service/sql-table';

/** Of amounts only what is written as it is; read, the exact one is trimmed. */
export const transactionTable = sqlTable('dashboard.transaction_log', 't', [
  'id',
  'serviceName',
  'serviceResult',
  'chain',
  'txHash',
  'amount',
  'tokenSymbol',
  'payer',
  'payee',
  'payerKycResult',
  'payerKytResult',
  'payerKytRiskLevel',
  'payeeKycResult',
  'payeeKytResult',
  'payeeKytRiskLevel',
  'reportedBy',
  'verified',
  'toolName',
  'agent',
  'reason',
  'metadata',
  'intentMandateId',
  'createdAt',
]);
