import { useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useVaultDeed } from '../call.ts';
import { ScopeBadges, type Token, TokenState, tokenState } from './state.tsx';

type Props = { readonly token: Token; readonly onClose: () => void };

/** What is known of one token, and its end. */
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
            <span className="font-mono [overflow-wrap:anywhere]">{token.agent_did}</span>
          </Fact>
        )}
        {token.credential_ids !== undefined && (
          <Fact name="Only for">{token.credential_ids.length} credentials</Fact>
        )}
        <Fact name="Made">
          <Time at={token.created_at} />
        </Fact>
        <Fact name={token.revoked_at === null ? 'Ends' : 'Revoked'}>
          <Time at={token.revoked_at ?? token.expires_at} />
        </Fact>
        <Fact name="Id">
          <Address value={token.id} name="id" />
        </Fact>
      </Facts>
    </Sheet>
  );
}

function RevokeToken({ token: { id, name }, onClose }: Props) {
  const { run, ...state } = useVaultDeed('POST /api/v1/tokens/:id/revoke', '/api/v1/tokens');
  const revoke = async () => {
    if ((await run({ params: { id } })) === null) return;
    showToast({ tone: 'ok', text: `“${name}” is revoked.` });
    onClose();
  };
  return (
    <Question
      title="Revoke this token?"
      deed="Revoke for good"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        Whoever shows it is refused from this moment, and so is everything that was made with it.
      </p>
    </Question>
  );
}
