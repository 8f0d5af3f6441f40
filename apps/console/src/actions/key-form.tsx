import { type FormEvent, useState } from 'react';
import { useAct } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { takeKey } from './session.ts';

/** The control plane knows approvers by their keys: whoever holds the wallet does not thereby approve. */
export function KeyForm({ ended }: { ended: boolean }) {
  const [fault, setFault] = useState<string | null>(null);
  const { busy, problem, run } = useAct(takeKey);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form).get('key');
    const key = typeof typed === 'string' ? typed.trim() : '';
    const wrong = faultOf(key);
    setFault(wrong);
    if (wrong !== null) return focusFirstFault(form);
    if (!busy) void run(key);
  };
  return (
    <section aria-label="Enter your key" className="card mx-auto w-full max-w-[440px] px-6 py-7">
      <h2 className="text-lg">Enter your approver key</h2>
      <p className="mt-1 text-sm text-pretty text-muted">
        The control plane identifies approvers by their keys. Your key stays in this page until you reload or
        close it. It is never stored in this browser.
      </p>
      <form noValidate onSubmit={submit} className="mt-6 grid gap-5">
        {ended && problem === null && (
          <Notice tone="warn">Your key is no longer valid. Enter another one.</Notice>
        )}
        <Field
          label="Approver key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          placeholder="csk_approver_…"
          error={fault}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <Button kind="primary" submit busy={busy} className="min-h-10">
          Use key
        </Button>
      </form>
      <p className="mt-5 text-sm text-pretty text-muted">
        An operator creates one with{' '}
        <code className="font-mono text-xs [overflow-wrap:anywhere]">
          countersign control-plane create-key --role approver
        </code>
        .
      </p>
    </section>
  );
}

function faultOf(key: string): string | null {
  if (key === '') return 'Enter your key.';
  return /^csk_approver_[\w-]+$/.test(key) ? null : 'An approver’s key begins with csk_approver_.';
}
