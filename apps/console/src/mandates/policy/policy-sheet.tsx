import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { type FormEvent, useId, useState } from 'react';
import { useDeed } from '../../api/deed.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, focusFirstFault, TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { draftOf, type PolicyDraft, readDraft } from './draft.ts';

const periods = { never: 'None', day: 'Day', week: 'Week', month: 'Month' } as const;
const whom = { any: 'Anyone', listed: 'Only these' } as const;
const which = { any: 'Any', listed: 'Only these' } as const;

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
        <Rules
          draft={draft}
          faults={tried && !read.ok ? read.error : {}}
          change={(part) => setDraft((old) => ({ ...old, ...part }))}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}

type RulesProps = {
  readonly draft: PolicyDraft;
  readonly faults: Partial<Record<keyof PolicyDraft, string>>;
  readonly change: (part: Partial<PolicyDraft>) => void;
};

function Rules({ draft, faults, change }: RulesProps) {
  const input = (name: 'budget' | 'threshold' | 'merchantList' | 'serviceList') => ({
    value: draft[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="grid gap-3">
        <Choice
          label="Budget of a period"
          names={periods}
          value={draft.every}
          onChoose={(every) => change({ every })}
        />
        {draft.every !== 'never' && (
          <Field
            label={`Budget of a ${draft.every}`}
            hint="Counted in UTC, weeks from Monday. What goes beyond comes to you for approval."
            inputMode="decimal"
            unit="USDC"
            {...input('budget')}
          />
        )}
      </div>
      <Field
        label="Ask me above"
        hint="A larger payment comes to you for approval. Empty: the limit per payment decides."
        inputMode="decimal"
        unit="USDC"
        {...input('threshold')}
      />
      <div className="grid gap-3">
        <Choice
          label="Who may be paid"
          names={whom}
          value={draft.merchants}
          onChoose={(merchants) => change({ merchants })}
        />
        {draft.merchants === 'listed' && (
          <TextArea
            label="Addresses that may be paid"
            hint="One a line. Everybody else is refused, without asking you."
            {...input('merchantList')}
          />
        )}
      </div>
      <div className="grid gap-3">
        <Choice
          label="Which services"
          names={which}
          value={draft.services}
          onChoose={(services) => change({ services })}
        />
        {draft.services === 'listed' && (
          <TextArea
            label="Services that may be used"
            hint="As your gateway names them, one a line."
            {...input('serviceList')}
          />
        )}
      </div>
    </>
  );
}
