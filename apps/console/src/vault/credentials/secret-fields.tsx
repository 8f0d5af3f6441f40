import type { CredentialType } from '@countersign/protocol/vault/credential';
import { Field, TextArea } from '../../ui/field.tsx';
import { type CredentialField, credentialFields, type Faults } from './fields.ts';

type Typed = Readonly<Record<string, string>>;
type Props = {
  readonly type: CredentialType;
  readonly typed: Typed;
  readonly faults: Faults;
  readonly onChange: (typed: Typed) => void;
};

/** The secret itself, with the fields of its type. */
export function SecretFields({ type, typed, faults, onChange }: Props) {
  return credentialFields[type].map((field) => (
    <SecretField
      key={`${type} ${field.name}`}
      field={field}
      value={typed[field.name] ?? ''}
      error={faults[field.name] ?? null}
      onChange={(value) => onChange({ ...typed, [field.name]: value })}
    />
  ));
}

type OneProps = {
  readonly field: CredentialField;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
};

function SecretField({ field: { label, hint, kind }, value, error, onChange }: OneProps) {
  const about = {
    label,
    value,
    error,
    autoComplete: kind === 'secret' ? 'new-password' : 'off',
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    ...(hint !== undefined && { hint }),
  };
  if (kind === 'lines' || kind === 'pem' || kind === 'w3c-credential')
    return <TextArea rows={5} {...about} />;
  const type = kind === 'secret' ? 'password' : 'text';
  return <Field type={type} inputMode={kind === 'port' ? 'numeric' : 'text'} {...about} />;
}
