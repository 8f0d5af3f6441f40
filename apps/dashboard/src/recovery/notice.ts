import type { Notice } from '../events/notice.ts';

/** Word that something of an account's recovery has changed. */
export const recoveryNotice = (accountId: string): Notice => ({
  kind: 'recovery',
  id: accountId,
  to: [accountId],
});
