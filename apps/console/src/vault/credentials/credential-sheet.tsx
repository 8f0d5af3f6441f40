import { Verbatim } from '../../ui/verbatim.tsx';
import { useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useVaultDeed } from '../call.ts';
import { DecryptCredential } from './decrypt.tsx';
import { typeNames } from './fields.ts';
import type { Credential } from './credential.ts';
import { Places } from './places.tsx';
import { End } from './table.tsx';
import { fillModes } from './terms.ts';

type Props = { readonly credential: Credential; readonly onClose: () => void };

/** Shows a credential's metadata, and the actions on it. */
export function CredentialSheet({ credential, onClose }: Props) {
  const [step, setStep] = useState<'look' | 'decrypt' | 'delete'>('look');
  if (step === 'decrypt') return <DecryptCredential credential={credential} onClose={onClose} />;
  if (step === 'delete') return <DeleteCredential credential={credential} onClose={onClose} />;
  return (
    <Sheet
      title={credential.service_id}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={() => setStep('delete')}>
            Delete
          </Button>
          <Button onClick={() => setStep('decrypt')}>Decrypt</Button>
        </>
      }
    >
      <CredentialFacts credential={credential} />
      <Places id={credential.id} />
    </Sheet>
  );
}

function CredentialFacts({ credential }: { credential: Credential }) {
  const { id, label, credential_type, fingerprint, created_at, expires_at, fill_mode } = credential;
  return (
    <Facts>
      <Fact name="Type">{typeNames[credential_type]}</Fact>
      {label !== undefined && (
        <Fact name="Label">
          <span className="[overflow-wrap:anywhere]">
            <Verbatim text={label} />
          </span>
        </Fact>
      )}
      <Fact name="Fingerprint">
        <Address value={fingerprint} name="fingerprint" />
      </Fact>
      <Fact name="Added">
        <Time at={created_at} />
      </Fact>
      <Fact name="Expires">
        <End at={expires_at} />
      </Fact>
      <Fact name="In a browser session">{fillModes[fill_mode]}</Fact>
      <Fact name="Id">
        <Address value={id} name="id" />
      </Fact>
    </Facts>
  );
}

function DeleteCredential({ credential: { id, service_id }, onClose }: Props) {
  const { run, ...state } = useVaultDeed('DELETE /api/v1/credentials/:id', '/api/v1/credentials');
  const remove = async () => {
    if ((await run({ params: { id } })) === null) return;
    showToast({ tone: 'ok', text: `Credential for ${service_id} deleted.` });
    onClose();
  };
  return (
    <Question
      title="Delete this credential?"
      submitLabel="Delete credential"
      onYes={() => void remove()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        Its ciphertext is deleted too, and no one can decrypt it again. Its records stay in the audit log.
      </p>
    </Question>
  );
}
