import { ShownOnce } from '../ui/shown-once.tsx';
import { mayWith } from '@countersign/protocol/dashboard/key-scopes';
import type { NewApiKey } from './state.tsx';

/** The text of a new key, this once. */
export function NewKeyText({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  return (
    <ShownOnce
      title="Copy your key now"
      what="key"
      secret={made.apiKey}
      about={`This is the only time “${made.name}” is shown. We store a fingerprint of the key, not the key itself. If you lose it, create a new one.`}
      use={made.scopes !== null && !mayWith(made.scopes, 'report') ? forReading : forGateway}
      onClose={onClose}
    />
  );
}

const forGateway = (
  <>
    Your gateway reads it from the environment variable <code className="font-mono">COMPLIANCE_API_KEY</code>.
    Keep it out of source code and chats.
  </>
);

const forReading = (
  <>
    Send it as <code className="font-mono">Authorization: Bearer</code> to{' '}
    <code className="font-mono">GET /api/transactions</code> and{' '}
    <code className="font-mono">GET /api/transactions/sums</code>; with{' '}
    <code className="font-mono">format=csv</code> both download a file. Keep it out of source code and chats.
  </>
);
