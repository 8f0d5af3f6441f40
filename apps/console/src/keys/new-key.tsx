import { type FormEvent, useId, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { ShownOnce } from './shown-once.tsx';
import type { NewApiKey } from './state.tsx';

/** A name first; then the key, this once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made !== null) return <ShownOnce made={made} onClose={onClose} />;
  return <NameSheet onClose={onClose} onMade={setMade} />;
}

function NameSheet({ onClose, onMade }: { onClose: () => void; onMade: (made: NewApiKey) => void }) {
  const form = useId();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/keys', '/api/keys');
  const nameless = name.trim() === '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (nameless) return;
    const made = await run({ body: { name: name.trim() } });
    if (made !== null) onMade(made);
  };
  return (
    <Sheet
      title="New API key"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit form={form} busy={busy}>
            Make the key
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <Field
          label="Name"
          hint="Where it is used, so that you know later which one to revoke."
          placeholder="gateway on my laptop"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={tried && nameless ? 'Give it a name that you will recognise.' : null}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}
