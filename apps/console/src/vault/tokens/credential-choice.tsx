import { useQuery } from '@tanstack/react-query';
import { Checks } from '../../ui/checks.tsx';
import { Choice } from '../../ui/choice.tsx';
import { legible } from '../../ui/legible.ts';
import { Notice } from '../../ui/notice.tsx';
import { askVault } from '../call.ts';
import type { Credential } from '../credentials/credential.ts';
import { typeNames } from '../credentials/fields.ts';

/** The vault's maximum for one list. */
const limit = 200;
/** The maximum number of credentials of a token. */
export const maxCredentials = 100;

const reaches = { all: 'All', some: 'Only these' } as const;

type Props = {
  /** Ids; null: all in this tenant, those that come later too. */
  readonly chosen: readonly string[] | null;
  readonly error: string | null;
  readonly onChange: (chosen: readonly string[] | null) => void;
};

/** Which credentials a token may use at all. */
export function CredentialChoice({ chosen, error, onChange }: Props) {
  return (
    <div className="grid gap-2">
      <Choice
        label="Credentials"
        names={reaches}
        value={chosen === null ? 'all' : 'some'}
        onChoose={(reach) => onChange(reach === 'all' ? null : [])}
      />
      {chosen === null ? (
        <p className="text-sm text-pretty text-muted">
          It can use every credential of your tenant, including those added later.
        </p>
      ) : (
        <Some chosen={chosen} error={error} onChange={onChange} />
      )}
    </div>
  );
}

function Some({ chosen, error, onChange }: Props & { readonly chosen: readonly string[] }) {
  const { data, error: problem } = useQuery(askVault('GET /api/v1/credentials', { query: { limit } }));
  if (problem !== null) return <Notice tone="bad">Could not list your credentials: {problem.message}</Notice>;
  if (data === undefined) return <p className="text-sm text-muted">Loading your credentials…</p>;
  if (data.items.length === 0)
    return <p className="text-sm text-muted">You have no credentials yet. Add one first, or choose All.</p>;
  return (
    <>
      <Checks
        label="Limited to"
        options={data.items.map((credential) => [credential.id, aboutOf(credential)] as const)}
        nameOf={(id) => legible(data.items.find((each) => each.id === id)?.service_id ?? id)}
        chosen={chosen}
        error={error}
        onChange={onChange}
      />
      {data.total > data.items.length && (
        <p className="text-sm text-muted">
          Showing the newest {data.items.length} of {data.total}.
        </p>
      )}
    </>
  );
}

const aboutOf = ({ credential_type, label, allowed_urls }: Credential): string =>
  [typeNames[credential_type], label, allowed_urls.join(', ')]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part) => legible(String(part)))
    .join(' · ');
