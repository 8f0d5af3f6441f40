import { Button } from '../ui/button.tsx';

/** Explains what to do in a browser without a wallet. Names no product: any EIP-1193 wallet works. */
export function NoWallet() {
  return (
    <div className="card p-5">
      <p className="font-medium">No wallet found in this browser</p>
      <ul className="mt-2 list-disc space-y-1 pl-4 text-sm text-muted">
        <li>Install a browser wallet for Ethereum and unlock it, then reload this page.</li>
        <li>On a phone, open this address in the browser inside your wallet app.</li>
      </ul>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  );
}
