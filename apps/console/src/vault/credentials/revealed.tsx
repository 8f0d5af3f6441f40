import { EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Message } from '../../ui/message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { credentialFields } from './fields.ts';
import type { Credential } from './credential.ts';

type Values = Readonly<Record<string, unknown>>;

/** `values` is null once they are hidden: then they are gone from this page’s memory too. */
export type Opened = { readonly values: Values | null; readonly auditId: string };

const shownSeconds = 60;

type Props = {
  readonly credential: Credential;
  readonly opened: Opened;
  readonly onHide: () => void;
  readonly onClose: () => void;
};

/** The secret, for a minute. */
export function Revealed({ credential, opened, onHide, onClose }: Props) {
  const left = useCountdown(shownSeconds);
  useEffect(() => {
    if (left === 0) onHide();
  }, [left, onHide]);
  return (
    <Sheet
      title={credential.service_id}
      onClose={onClose}
      actions={<Button onClick={onClose}>Hide now</Button>}
    >
      {opened.values === null || left === 0 ? (
        <Message icon={EyeOff} title="Hidden">
          Decrypt it again if you need it. Each decryption is recorded.
        </Message>
      ) : (
        <Secret credential={credential} values={opened.values} left={left} />
      )}
      <p className="mt-5 flex flex-wrap items-center gap-x-1 text-sm text-muted">
        Audit record <Address value={opened.auditId} name="audit id" />
      </p>
    </Sheet>
  );
}

function Secret({ credential, values, left }: { credential: Credential; values: Values; left: number }) {
  const fields = credentialFields[credential.credential_type].filter(({ name }) => name in values);
  return (
    <>
      <p className="text-sm text-muted" role="timer">
        Hides in {left} seconds.
      </p>
      <dl className="mt-4 grid gap-4">
        {fields.map(({ name, label }) => {
          const value = values[name];
          const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
          return (
            <div key={name}>
              <dt className="flex items-center justify-between gap-4 text-sm text-muted">
                {label}
                <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
              </dt>
              <dd className="rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm leading-6 break-all whitespace-pre-wrap">
                {text}
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

/** Seconds that are left, by the clock and not by the number of ticks: a sleeping tab shows nothing for longer. */
function useCountdown(seconds: number): number {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}
