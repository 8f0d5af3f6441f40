import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { useCopy } from './copy-button.tsx';
import { Notice } from './notice.tsx';
import { Sheet } from './sheet.tsx';

type Props = {
  readonly title: string;
  /** The kind of secret, as one word: "key". */
  readonly what: string;
  readonly secret: string;
  /** Why it is shown only now. */
  readonly about: ReactNode;
  /** Where to use it. */
  readonly use: ReactNode;
  readonly onClose: () => void;
};

/** A secret that nobody can show again. Whoever leaves without having copied it is warned once. */
export function ShownOnce({ title, what, secret, about, use, onClose }: Props) {
  const [step, setStep] = useState<'shown' | 'taken' | 'warned'>('shown');
  const { copied, copy } = useCopy(secret);
  const take = async () => {
    if (await copy()) setStep('taken');
  };
  const leave = () => (step === 'shown' ? setStep('warned') : onClose());
  return (
    <Sheet
      title={title}
      onClose={leave}
      actions={
        <>
          <Button onClick={leave}>{step === 'warned' ? 'Close without copying' : 'Done'}</Button>
          <Button kind="primary" onClick={() => void take()}>
            {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
            Copy {what}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <p className="text-pretty text-muted">{about}</p>
        <code
          aria-label={`The ${what}`}
          role="group"
          className="block rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm leading-6 break-all select-all"
        >
          {secret}
        </code>
        <p className="text-sm text-pretty text-muted">{use}</p>
        {step === 'warned' && (
          <Notice tone="warn">You have not copied it. Once you close this, it cannot be shown again.</Notice>
        )}
      </div>
    </Sheet>
  );
}
