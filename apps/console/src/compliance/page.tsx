import { Page } from '../ui/page.tsx';

/** Your identity check, and what is known about other wallets. */
export function CompliancePage() {
  return (
    <Page title="Compliance" about="Your identity check, and what is known about other wallets.">
      {null}
    </Page>
  );
}
