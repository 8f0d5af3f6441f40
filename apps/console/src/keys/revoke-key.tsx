import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';
import type { ApiKey } from './life.ts';

type Props = { readonly apiKey: ApiKey; readonly onClose: () => void };

/** Asks for the key's name, because a gateway that uses it stops paying at once. */
export function RevokeKey({ apiKey, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const { run, ...state } = useDeed('DELETE /api/keys/:id', '/api/keys');
  const named = typed.trim() === apiKey.name;
  const revoke = async () => {
    setTried(true);
    if (!named || (await run({ params: { id: apiKey.id } })) === null) return;
    showToast({ tone: 'ok', text: `“${apiKey.name}” is revoked.` });
    onClose();
  };
  return (
    <Question
      title="Revoke this key?"
      submitLabel="Revoke key"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From now on, a gateway that uses this key is refused and pays nothing. This cannot be undone. To
        replace the key without an interruption, roll it instead.
      </p>
      <Field
        label={`Type ${apiKey.name} to confirm`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={tried && !named ? `The name does not match. Type ${apiKey.name}.` : null}
      />
    </Question>
  );
}
