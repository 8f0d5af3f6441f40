import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { NewKeyText } from './new-key-text.tsx';
import type { NewApiKey } from './state.tsx';

/** A name first; then the key, this once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made !== null) return <NewKeyText made={made} onClose={onClose} />;
  return <NameSheet onClose={onClose} onMade={setMade} />;
}

function NameSheet({ onClose, onMade }: { onClose: () => void; onMade: (made: NewApiKey) => void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/keys', '/api/keys');
  const nameless = name.trim() === '';

  const submit = async () => {
    setTried(true);
    if (nameless) return;
    const made = await run({ body: { name: name.trim() } });
    if (made !== null) onMade(made);
  };
  return (
    <FormSheet
      title="New API key"
      onClose={onClose}
      deed="Make the key"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
    >
      <Field
        label="Name"
        hint="Where it is used, so that you know later which one to revoke."
        placeholder="gateway on my laptop"
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={tried && nameless ? 'Give it a name that you will recognise.' : null}
      />
    </FormSheet>
  );
}
