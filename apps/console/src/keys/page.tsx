import { Page } from '../ui/page.tsx';

/** What your gateway shows to the dashboard. */
export function KeysPage() {
  return (
    <Page title="API keys" about="What your gateway shows to the dashboard.">
      {null}
    </Page>
  );
}
