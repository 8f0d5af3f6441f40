import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { NewKeyText } from './new-key-text.tsx';
import type { ApiKey } from './life.ts';
import type { NewApiKey } from './state.tsx';

const graces = {
  '0': 'immediately',
  '3600': 'in 1 hour',
  '86400': 'in 1 day',
  '604800': 'in 7 days',
} as const;
type Grace = keyof typeof graces;

type Props = { readonly apiKey: ApiKey; readonly onClose: () => void };

/** A successor of the same name, and how long the old key works beside it. */
export function RollKey({ apiKey, onClose }: Props) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [grace, setGrace] = useState<Grace>('86400');
  const { busy, problem, run } = useDeed('POST /api/keys/:id/roll', '/api/keys');
  const roll = async () =>
    setMade(await run({ params: { id: apiKey.id }, body: { graceSeconds: Number(grace) } }));

  if (made !== null) return <NewKeyText made={made} onClose={onClose} />;
  return (
    <Sheet
      title={`Roll “${apiKey.name}”`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void roll()}>
            Create new key
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <p className="text-pretty text-muted">
          You get a new key with the same name and scopes. The old key works until the time you choose, so
          that you can replace it in your gateway.
        </p>
        <Choice label="Old key expires" names={graces} value={grace} onChoose={setGrace} />
        {grace === '0' && (
          <Notice tone="warn">Your agent cannot pay until your gateway has the new key.</Notice>
        )}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </div>
    </Sheet>
  );
}
