import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import type { MandateCredential } from '@countersign/protocol/dashboard/mandate-credential';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { download } from '../ui/download.ts';
import { Section } from '../ui/page.tsx';
import { Verified } from './verified.tsx';
import type { Verdict } from './verify-credential.ts';

type Props = { readonly mandate: Mandate; readonly credential: MandateCredential };

/** The signed credential: to read, to take along, and to check without believing us. */
export function Credential({ mandate, credential }: Props) {
  const { account } = useSession();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const text = JSON.stringify(credential, null, 2);
  const verify = async () => {
    // The cryptography is loaded by whoever asks for it.
    const { verifyCredential } = await import('./verify-credential.ts');
    setVerdict(await verifyCredential(mandate, credential, account.walletAddress));
  };
  return (
    <Section
      title="Credential"
      actions={
        <div className="flex items-center gap-1">
          <CopyButton text={text} label="Copy credential" />
          <Button kind="quiet" onClick={() => download(text, `mandate-${mandate.id}.json`)}>
            <Download aria-hidden="true" />
            Download
          </Button>
          <Button onClick={() => void verify()}>Verify</Button>
        </div>
      }
    >
      {verdict !== null && <Verified verdict={verdict} />}
      <pre
        // A scrollable region must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label="Credential as JSON"
        className="max-h-96 overflow-auto px-5 py-4 font-mono text-xs leading-5 text-muted focus-visible:-outline-offset-2"
      >
        {text}
      </pre>
    </Section>
  );
}
