import { fail, ok, type Result } from '@countersign/protocol/result';
import { useCallback, useState } from 'react';
import { useAct } from '../../api/deed.ts';
import type { Problem } from '../../api/problem.ts';
import { Field } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { callVault } from '../call.ts';
import { SimulatedBadge } from '../simulated.tsx';
import type { Credential } from './credential.ts';
import { type Opened, Revealed } from './revealed.tsx';

type Props = { readonly credential: Credential; readonly onClose: () => void };

/** Opens a credential for a person, with a reason that goes on record first. */
export function DecryptCredential({ credential, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { busy, problem, run } = useAct(decrypt, '/api/v1/audit');
  const hide = useCallback(() => setOpened((old) => old && { ...old, values: null }), []);
  const given = reason.trim();
  const submit = async () => {
    setTried(true);
    if (given !== '') setOpened(await run({ id: credential.id, reason: given }));
  };
  if (opened !== null)
    return <Revealed credential={credential} opened={opened} onHide={hide} onClose={onClose} />;
  return (
    <FormSheet
      title={`Decrypt “${credential.service_id}”`}
      shape="dialog"
      submitLabel="Decrypt credential"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="text-pretty text-muted">
        Your agents never need this. Before it responds, the enclave records who decrypts the credential and
        why. It seals the response for this browser only. <SimulatedBadge />
      </p>
      <Field
        label="Reason"
        maxLength={500}
        autoComplete="off"
        value={reason}
        error={tried && given === '' ? 'Enter a reason. It goes on record.' : null}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormSheet>
  );
}

/** The answer is sealed to a key that exists for this one question. */
async function decrypt({ id, reason }: { id: string; reason: string }): Promise<Result<Opened, Problem>> {
  const { newRecipient } = await import('../seal.ts');
  const recipient = await newRecipient();
  const answer = await callVault('POST /api/v1/credentials/:id/decrypt', {
    params: { id },
    body: { reason, recipient_public_key: recipient.publicKey },
  });
  if (!answer.ok) return answer;
  const values = await recipient.open(answer.value.sealed_data ?? '');
  if (values === null) return fail({ kind: 'malformed', service: 'vault', requestId: null });
  return ok({ values: values as Opened['values'], auditId: answer.value.audit_id });
}
