import { Page } from '../ui/page.tsx';

/** Payments above your limits, for you to decide. */
export function ApprovalsPage() {
  return (
    <Page title="Approvals" about="Payments above your limits, for you to decide.">
      {null}
    </Page>
  );
}
