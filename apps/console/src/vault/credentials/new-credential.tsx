import { fail } from '@countersign/protocol/result';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../api/deed.ts';
import { Field, focusFirstFault, TextArea } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { callVault } from '../call.ts';
import type { VaultInput } from '../http.ts';
import { type CheckedReport, enclaveReport, freshReport } from '../report.ts';
import { SimulatedBadge } from '../simulated.tsx';
import { pinnedOr } from '../verifier/pin.ts';
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
      submitLabel="Seal and save"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Service"
        hint="The service it is for, such as github."
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
      <Field
        label="Label"
        hint="For your own reference. Not secret."
        maxLength={256}
        {...text}
        {...term('label')}
      />
      <Field label="Last day" hint="Leave empty for no expiry." type="date" {...term('lastDay')} />
      <TextArea
        label="Where it may be used"
        hint="One address per line, such as https://shop.example/account/*. If empty, it cannot be used until you allow an address or approve its first use."
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

type Secret = { readonly body: Omit<Body, 'sealed_data'>; readonly plaintext: object };

/**
 * Refuses to seal to a key that the enclave does not vouch for, and for an enclave other than the one whose key is pinned:
 * whoever answers in its place can vouch for keys of his own. `tell` is told what was answered, so that the page shows it.
 */
async function sealAndKeep({ body, plaintext }: Secret, tell: (checked: CheckedReport) => void) {
  const checked = await freshReport();
  if (!checked.ok) return checked;
  tell(checked.value);
  const { report, isBound } = checked.value;
  if (!isBound) return fail(refused(says.unproven));
  const key = report.auditPublicKey;
  if (pinnedOr({ key, isBound }, new Date())?.key !== key) return fail(refused(says.otherKey));
  // The cryptography is loaded by whoever needs it.
  const { seal } = await import('../seal.ts');
  const sealed_data = await seal(report.sealPublicKey, plaintext);
  return callVault('POST /api/v1/credentials', { body: { ...body, sealed_data } });
}

const says = {
  unproven: 'The enclave did not prove that the key is its own. Nothing was sent. See Attestation',
  otherKey:
    'The vault’s key differs from the one pinned in this browser. Someone may be impersonating the vault. Nothing was sent. ' +
    'See Attestation',
};

const refused = (msg: string) => ({ kind: 'refused', code: null, msg, requestId: null }) as const;

function useDraft(onKept: () => void) {
  const [type, setType] = useState<CredentialType>('username_password');
  const [secret, setSecret] = useState<Readonly<Record<string, string>>>({});
  const [terms, setTerms] = useState(emptyTerms);
  const [tried, setTried] = useState(false);
  const queries = useQueryClient();
  const tell = (checked: CheckedReport) => queries.setQueryData(enclaveReport.queryKey, checked);
  const { busy, problem, run } = useAct((secret: Secret) => sealAndKeep(secret, tell), '/api/v1/credentials');
  const [readT, readS] = [readTerms(terms, new Date()), readSecret(type, secret)];

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (!readT.ok || !readS.ok) return focusFirstFault(form);
    const kept = await run({ body: { ...readT.value, credential_type: type }, plaintext: readS.value });
    if (kept === null) return;
    showToast({ tone: 'ok', text: `Credential for ${kept.service_id} saved.` });
    onKept();
  };
  const faults: Readonly<Record<string, string>> = tried
    ? { ...(!readS.ok && readS.error), ...(!readT.ok && readT.error) }
    : {};
  return { type, setType, secret, setSecret, terms, setTerms, faults, busy, problem, submit };
}
