import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { Question } from '../../ui/question.tsx';
import { Time } from '../../ui/time.tsx';
import { enclaveReport } from '../report.ts';
import { pinKey, pinnedOr, usePin } from './pin.ts';

/** Pins the key at first sight, and says loudly when the vault has another one. */
export function KeyWatch() {
  const checked = useQuery(enclaveReport).data;
  const { pin, told } = usePin();
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (checked === undefined) return;
    pinnedOr({ key: checked.report.auditPublicKey, isBound: checked.isBound }, new Date());
  }, [checked]);
  if (pin === null || told === null || pin.key === told) return null;
  return (
    <Notice tone="bad">
      <p className="font-medium">The vault’s audit log key has changed.</p>
      <p>
        Unless its operators announced this, someone may be impersonating the vault. Do not verify against the
        new key or store credentials here until you have compared it with the operators.
      </p>
      <p>
        If the pinned key endorsed the new one, verifying any audit record pins the new key automatically.
      </p>
      <dl className="mt-2 grid gap-1">
        <Key name="Pinned in this browser" text={pin.key} />
        <Key name="Reported by the vault now" text={told} />
      </dl>
      {checked?.isBound === true ? (
        <div className="mt-3">
          <Button onClick={() => setAsks(true)}>Pin new key</Button>
        </div>
      ) : (
        <p className="mt-2">The enclave did not prove that the new key is its own, so it cannot be pinned.</p>
      )}
      {asks && (
        <Question
          title="Pin another key?"
          submitLabel="Pin new key"
          busy={false}
          problem={null}
          onYes={() => {
            pinKey(told, new Date());
            setAsks(false);
          }}
          onClose={() => setAsks(false)}
        >
          <p className="text-pretty text-muted">
            From now on, this browser trusts what the new key signs. Continue only if the vault’s operators
            gave you the same key through another channel.
          </p>
        </Question>
      )}
    </Notice>
  );
}

function Key({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="font-mono text-xs break-all">{text}</dd>
    </div>
  );
}

/** The key that everything is verified against here, to be compared with one from elsewhere. */
export function PinnedKey() {
  const { pin } = usePin();
  if (pin === null) return null;
  return (
    <Section title="Key pinned in this browser" actions={<CopyButton text={pin.key} label="Copy key" />}>
      <div className="grid gap-4 px-5 py-4">
        <p className="text-sm text-pretty text-muted">
          The audit log is verified here against this key, pinned <Time at={pin.since} />, when this browser
          first saw the vault. It is only as trustworthy as that first time: compare it with the key that the
          operators give you.
        </p>
        <p className="font-mono text-sm break-all">{pin.key}</p>
        <Compare pinned={pin.key} />
      </div>
    </Section>
  );
}

function Compare({ pinned }: { pinned: string }) {
  const [given, setGiven] = useState('');
  const [found, setFound] = useState<'same' | 'another' | 'none' | null>(null);
  const compare = async (event: FormEvent) => {
    event.preventDefault();
    const { readKey } = await import('./check.ts');
    const key = readKey(given);
    setFound(key === null ? 'none' : key === pinned ? 'same' : 'another');
  };
  return (
    <form onSubmit={(event) => void compare(event)} className="grid gap-3">
      <div className="flex items-end gap-3">
        <Field
          label="Compare with a key from another source"
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          value={given}
          className="min-w-0 flex-1"
          error={
            found === 'none' ? 'This is not a key. Enter 32 bytes in base64, or a C2SP verifier key.' : null
          }
          onChange={({ target }) => {
            setGiven(target.value);
            setFound(null);
          }}
        />
        <Button submit className="min-h-10">
          Compare
        </Button>
      </div>
      {found === 'same' && <Notice tone="ok">The keys match.</Notice>}
      {found === 'another' && (
        <Notice tone="bad">
          The keys differ. Do not trust what is verified here, and ask the operators.
        </Notice>
      )}
    </form>
  );
}
