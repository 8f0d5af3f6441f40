import { Page } from '../ui/page.tsx';

/** Every payment of your agent, also those that were refused. */
export function TransactionsPage() {
  return (
    <Page title="Transactions" about="Every payment of your agent, also those that were refused.">
      {null}
    </Page>
  );
}
