import { useDeed } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { providerName } from './names.ts';

/** Leads to the page where the KYC vendor in use verifies people. */
export function ToVendor({ provider }: { provider: string }) {
  const { busy, problem, run } = useDeed('POST /api/kyc/begin', '/api/kyc');
  const go = async () => {
    const page = await run({});
    // The dashboard takes https pages only from a vendor.
    if (page !== null) window.location.assign(page.url);
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
