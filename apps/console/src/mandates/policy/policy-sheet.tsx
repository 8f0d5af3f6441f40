import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useState } from 'react';
import { useDeed } from '../../api/deed.ts';
import { focusFirstFault } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { draftOf, readDraft } from './draft.ts';
import { RuleFields } from './rule-fields.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Rules that are tighter than what was signed. They hold from the moment they are saved. */
export function PolicySheet({ mandate, onClose }: Props) {
  const [draft, setDraft] = useState(draftOf(mandate.policy));
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed(
    'POST /api/mandates/intent/policy',
    '/api/mandates',
    '/api/overview',
  );
  const read = readDraft(draft);

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (!read.ok) return focusFirstFault(form);
    const policy = { ...read.value, paused: mandate.policy.paused };
    if ((await run({ body: { mandateId: mandate.id, policy } })) === null) return;
    showToast({ tone: 'ok', text: 'Rules saved. They apply from now on.' });
    onClose();
  };
  return (
    <FormSheet
      title="Change rules"
      onClose={onClose}
      submitLabel="Save rules"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <p className="text-pretty text-muted">
        Rules can only restrict what the mandate allows, so they need no signature. They do not apply to
        payments that a gateway makes without a mandate.
      </p>
      <RuleFields
        draft={draft}
        faults={tried && !read.ok ? read.error : {}}
        change={(part) => setDraft((old) => ({ ...old, ...part }))}
      />
    </FormSheet>
  );
}
