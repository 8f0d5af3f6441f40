import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { isAddress, notAnAddress } from './terms.ts';

/** Says all addresses of the credential anew; whether it did. */
export type SayAddresses = (addresses: string[]) => Promise<boolean>;

type Props = { readonly known: readonly string[]; readonly busy: boolean; readonly say: SayAddresses };

/** Names one more address where a credential may be used. */
export function AllowAddress({ known, busy, say }: Props) {
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const allow = async (event: FormEvent) => {
    event.preventDefault();
    const typed = url.trim();
    if (!isAddress(typed)) return setFault(notAnAddress(typed));
    setFault(null);
    if (busy || !(await say([...known, typed]))) return;
    setUrl('');
    showToast({ tone: 'ok', text: 'Address allowed, starting with the next operation.' });
  };
  return (
    <form
      aria-label="Allow an address"
      onSubmit={(event) => void allow(event)}
      className="mt-3 flex flex-wrap items-end gap-3"
    >
      <Field
        label="Allow another address"
        value={url}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        className="min-w-0 flex-[1_1_220px]"
        onChange={({ target }) => setUrl(target.value)}
      />
      <Button submit busy={busy} className="min-h-10">
        Allow
      </Button>
    </form>
  );
}
