import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { legible } from '../../ui/legible.ts';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useVaultDeed } from '../call.ts';
import { CredentialName } from '../sessions/facts.tsx';
import { ScopeBadges, type Token, TokenState, tokenState } from './state.tsx';

type Props = { readonly token: Token; readonly onClose: () => void };

/** Shows one token, and offers to revoke it. */
export function TokenSheet({ token, onClose }: Props) {
  const [revoking, setRevoking] = useState(false);
  const isLive = tokenState(token, useNow()) === 'live';
  if (revoking) return <RevokeToken token={token} onClose={onClose} />;
  return (
    <Sheet
      title={token.name}
      onClose={onClose}
      actions={
        isLive && (
          <Button kind="danger" onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )
      }
    >
      <Facts>
        <Fact name="State">
          <TokenState token={token} />
        </Fact>
        <Fact name="Scopes">
          <ScopeBadges scopes={token.scopes} />
        </Fact>
        {token.agent_did !== undefined && (
          <Fact name="Agent">
            <span className="font-mono [overflow-wrap:anywhere]">{legible(token.agent_did)}</span>
          </Fact>
        )}
        <Reaches token={token} />
        <Fact name="Created">
          <Time at={token.created_at} />
        </Fact>
        <Fact name={token.revoked_at === null ? 'Expires' : 'Revoked'}>
          <Time at={token.revoked_at ?? token.expires_at} />
        </Fact>
        <Fact name="Audit log">
          <Link
            to="/vault/audit"
            search={{ who: `token:${token.id}` }}
            className="font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            View activity
          </Link>
        </Fact>
        <Fact name="Id">
          <Address value={token.id} name="id" />
        </Fact>
      </Facts>
    </Sheet>
  );
}

const Reaches = ({ token }: { token: Token }) =>
  token.credential_ids === undefined ? (
    <Fact name="Credentials">all in this tenant</Fact>
  ) : (
    <Fact name="Only for">
      <ul>
        {token.credential_ids.map((id) => (
          <li key={id}>
            <CredentialName id={id} />
          </li>
        ))}
      </ul>
    </Fact>
  );

function RevokeToken({ token: { id, name }, onClose }: Props) {
  const { run, ...state } = useVaultDeed('POST /api/v1/tokens/:id/revoke', '/api/v1/tokens');
  const revoke = async () => {
    if ((await run({ params: { id } })) === null) return;
    showToast({ tone: 'ok', text: `“${name}” revoked.` });
    onClose();
  };
  return (
    <Question
      title="Revoke this token?"
      submitLabel="Revoke token"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From now on, anyone who uses it is refused, and so is everything created with it. This cannot be
        undone.
      </p>
    </Question>
  );
}
