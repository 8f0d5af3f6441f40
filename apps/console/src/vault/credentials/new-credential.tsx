import { fail } from '@countersign/protocol/result';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../api/deed.ts';
import { Field, focusFirstFault, TextArea } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { callVault } from '../call.ts';
import type { VaultInput } from '../http.ts';
import { freshReport } from '../report.ts';
import { SimulatedBadge } from '../simulated.tsx';
import { readSecret, typeNames } from './fields.ts';
import { SecretFields } from './secret-fields.tsx';
import { emptyTerms, type FillMode, fillModes, readTerms, type TermsDraft } from './terms.ts';

/** Keeps a secret: it is sealed for the enclave before it leaves this browser. */
export function NewCredential({ onClose }: { onClose: () => void }) {
  const { type, setType, secret, setSecret, terms, setTerms, faults, busy, problem, submit } =
    useDraft(onClose);
  const term = (name: Exclude<keyof TermsDraft, 'fillMode'>) => ({
    value: terms[name],
    error: faults[name] ?? null,
    onChange: ({ target }: { target: { value: string } }) => setTerms({ ...terms, [name]: target.value }),
  });
  return (
    <FormSheet
      title="New credential"
      deed="Seal and keep"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Service"
        hint="What it opens, such as github."
        maxLength={256}
        {...text}
        {...term('service')}
      />
      <Select
        label="Type"
        options={Object.entries(typeNames)}
        value={type}
        onChange={({ target }) => setType(target.value as CredentialType)}
      />
      <SecretFields type={type} typed={secret} faults={faults} onChange={setSecret} />
      <Field label="Label" hint="For you. It is not secret." maxLength={256} {...text} {...term('label')} />
      <Field label="Last day" hint="Empty: it has no end." type="date" {...term('lastDay')} />
      <TextArea
        label="Where it may be used"
        hint="One address a line, such as https://shop.example/account/*. Empty: nowhere, until you name an address or agree to a first use."
        {...term('urls')}
      />
      <Select
        label="In a browser session"
        options={Object.entries(fillModes)}
        value={terms.fillMode}
        onChange={({ target }) => setTerms({ ...terms, fillMode: target.value as FillMode })}
      />
      <p className="flex items-start gap-2 text-sm text-pretty text-muted">
        <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Sealed in this browser for the enclave, whose key is checked first. The vault’s web server never
          sees it. <SimulatedBadge />
        </span>
      </p>
    </FormSheet>
  );
}

const text = { autoComplete: 'off', spellCheck: false } as const;

type Body = VaultInput<'POST /api/v1/credentials'>['body'];

/** Refuses to seal to a key that the enclave does not vouch for. */
async function sealAndKeep({ body, plaintext }: { body: Omit<Body, 'sealed_data'>; plaintext: object }) {
  const checked = await freshReport();
  if (!checked.ok) return checked;
  if (!checked.value.isBound) return fail(unproven);
  // The cryptography is loaded by whoever needs it.
  const { seal } = await import('../seal.ts');
  const sealed_data = await seal(checked.value.report.sealPublicKey, plaintext);
  return callVault('POST /api/v1/credentials', { body: { ...body, sealed_data } });
}

const unproven = {
  kind: 'refused',
  code: null,
  msg: 'The enclave did not prove that the key is its own. Nothing was sent; see Attestation',
  requestId: null,
} as const;

function useDraft(onKept: () => void) {
  const [type, setType] = useState<CredentialType>('username_password');
  const [secret, setSecret] = useState<Readonly<Record<string, string>>>({});
  const [terms, setTerms] = useState(emptyTerms);
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useAct(sealAndKeep, '/api/v1/credentials');
  const [readT, readS] = [readTerms(terms, new Date()), readSecret(type, secret)];

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (!readT.ok || !readS.ok) return focusFirstFault(form);
    const kept = await run({ body: { ...readT.value, credential_type: type }, plaintext: readS.value });
    if (kept === null) return;
    showToast({ tone: 'ok', text: `The credential of ${kept.service_id} is kept.` });
    onKept();
  };
  const faults: Readonly<Record<string, string>> = tried
    ? { ...(!readS.ok && readS.error), ...(!readT.ok && readT.error) }
    : {};
  return { type, setType, secret, setSecret, terms, setTerms, faults, busy, problem, submit };
}
