import type { Notice } from '../events/notice.ts';

/** Word that a mandate of this account was made or has changed. */
export const mandateNotice = (accountId: string, id: string): Notice => ({
  kind: 'mandate',
  id,
  to: [accountId],
});
