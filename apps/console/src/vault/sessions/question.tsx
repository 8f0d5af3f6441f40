import { useQuery } from '@tanstack/react-query';
import { askVault } from '../call.ts';
import { legible } from '../../ui/legible.ts';
import { PlaceInWords } from '../place.tsx';
import { CredentialName } from './facts.tsx';

const path = 'GET /api/v1/sandbox/sessions/:id/approvals/:operation_id';

type Props = { readonly sessionId: string; readonly operationId: string };

/** Shows what a decision depends on: where a secret would go, and the page as it was when the agent asked. */
export function LookedAt({ sessionId, operationId }: Props) {
  const params = { id: sessionId, operation_id: operationId };
  // It does not change; without it a person may still decide.
  const { data, error } = useQuery({ ...askVault(path, { params }), staleTime: 'static' });
  if (error !== null)
    return <p className="text-sm text-muted">The page as it was cannot be shown. Use the live view.</p>;
  if (data === undefined) return null;
  const { place, secrets = [], image } = data;
  return (
    <>
      {place !== undefined && (
        <p className="text-sm">
          The secret would go to: <PlaceInWords place={place} />
        </p>
      )}
      {secrets.map((secret) => (
        <p key={`${secret.credential_id} ${secret.field}`} className="text-sm">
          <code className="font-mono text-xs">{legible(secret.field)}</code> of{' '}
          <CredentialName id={secret.credential_id} /> would leave now, from{' '}
          <PlaceInWords place={secret.place} />
        </p>
      ))}
      {image !== null && (
        <img
          src={`data:image/png;base64,${image}`}
          alt="The page when your agent asked, with the target outlined and secret fields covered"
          className="max-h-[420px] w-auto max-w-full rounded-md border border-line object-contain"
        />
      )}
    </>
  );
}
