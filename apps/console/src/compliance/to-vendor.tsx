import { useDeed } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { providerName } from './names.ts';

/** Leads to the page where the KYC vendor in use verifies people. */
export function ToVendor({ provider }: { provider: string }) {
  const { busy, problem, run } = useDeed('POST /api/kyc/begin', '/api/kyc');
  const go = async () => {
    const page = await run({});
    if (page === null) return;
    if (new URL(page.url).protocol === 'https:') window.location.assign(page.url);
    else
      showToast({ tone: 'bad', text: 'The provider named a page that is not secure. Tell your operator.' });
  };
  return (
    <div className="grid gap-2">
      <Button kind="primary" busy={busy} onClick={() => void go()}>
        Continue at {providerName(provider)}
      </Button>
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
