import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { type FormEvent, useId, useState } from 'react';
import { useDeed } from '../../api/deed.ts';
import { Button } from '../../ui/button.tsx';
import { focusFirstFault } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { draftOf, readDraft } from './draft.ts';
import { RuleFields } from './rule-fields.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Rules that are tighter than what was signed. They hold from the moment they are saved. */
export function PolicySheet({ mandate, onClose }: Props) {
  const form = useId();
  const [draft, setDraft] = useState(draftOf(mandate.policy));
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed(
    'POST /api/mandates/intent/policy',
    '/api/mandates',
    '/api/overview',
  );
  const read = readDraft(draft);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!read.ok) return focusFirstFault(event.currentTarget);
    const policy = { ...read.value, paused: mandate.policy.paused };
    if ((await run({ body: { mandateId: mandate.id, policy } })) === null) return;
    showToast({ tone: 'ok', text: 'Saved. The rules hold from now on.' });
    onClose();
  };
  return (
    <Sheet
      title="Change rules"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit form={form} busy={busy}>
            Save rules
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-6">
        <p className="text-pretty text-muted">
          Rules only refuse what the mandate would allow, so they need no signature.
        </p>
        <RuleFields
          draft={draft}
          faults={tried && !read.ok ? read.error : {}}
          change={(part) => setDraft((old) => ({ ...old, ...part }))}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}
