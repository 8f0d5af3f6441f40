import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useCopy } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { NewApiKey } from './state.tsx';

/** The text of a new key. Whoever leaves without having copied it is warned once. */
export function ShownOnce({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const [step, setStep] = useState<'shown' | 'taken' | 'warned'>('shown');
  const { copied, copy } = useCopy(made.apiKey);
  const take = async () => {
    if (await copy()) setStep('taken');
  };
  const leave = () => (step === 'shown' ? setStep('warned') : onClose());
  return (
    <Sheet
      title="Copy your key now"
      onClose={leave}
      actions={
        <>
          <Button onClick={leave}>{step === 'warned' ? 'Leave without it' : 'Done'}</Button>
          <Button kind="primary" onClick={() => void take()}>
            {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
            Copy key
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <p className="text-pretty text-muted">
          This is the only time that “{made.name}” is shown. We keep a fingerprint of it, not the key: if it
          is lost, make a new one.
        </p>
        <code
          aria-label="The key"
          role="group"
          className="block rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm leading-6 break-all select-all"
        >
          {made.apiKey}
        </code>
        <p className="text-sm text-pretty text-muted">
          Your gateway reads it from the variable <code className="font-mono">COMPLIANCE_API_KEY</code>. Keep
          it out of source code and chats.
        </p>
        {step === 'warned' && (
          <Notice tone="warn">You have not copied it. Once this closes, nobody can show it again.</Notice>
        )}
      </div>
    </Sheet>
  );
}
