import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { LastUse } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RollKey } from './roll-key.tsx';
import { type ApiKey, keyLife } from './life.ts';
import { OfAgent } from './of-agent.tsx';
import { reachText } from './reach.ts';
import { KeyState } from './state.tsx';

type Props = { readonly apiKey: ApiKey; readonly onClose: () => void };

/** Shows one key, and offers to roll or revoke it. */
export function KeySheet({ apiKey, onClose }: Props) {
  const [step, setStep] = useState<'look' | 'roll' | 'revoke'>('look');
  const state = keyLife(apiKey, useNow());
  if (step === 'roll') return <RollKey apiKey={apiKey} onClose={onClose} />;
  if (step === 'revoke') return <RevokeKey apiKey={apiKey} onClose={onClose} />;
  return (
    <Sheet
      title={apiKey.name}
      onClose={onClose}
      actions={
        state !== 'ended' && (
          <>
            <Button kind="danger" onClick={() => setStep('revoke')}>
              Revoke
            </Button>
            {(state === 'live' || state === 'expired') && (
              <Button onClick={() => setStep('roll')}>Roll</Button>
            )}
          </>
        )
      }
    >
      <KeyFacts apiKey={apiKey} />
    </Sheet>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Facts>
      <Fact name="State">
        <KeyState apiKey={apiKey} />
      </Fact>
      <Fact name="May do">{reachText(apiKey)}</Fact>
      <Fact name="For">
        <OfAgent wallet={apiKey.agentWallet} scopes={apiKey.scopes} />
      </Fact>
      <Fact name="Begins with">
        <code className="font-mono">{apiKey.prefix}…</code>
      </Fact>
      <Fact name="Created">
        <Time at={apiKey.createdAt} />
      </Fact>
      <Fact name="Last used">
        <LastUse apiKey={apiKey} />
      </Fact>
      {apiKey.revokedAt !== null && (
        <Fact name="End">
          <Time at={apiKey.revokedAt} />
        </Fact>
      )}
      <Fact name="Expires">{apiKey.expiresAt === null ? 'Never' : <Time at={apiKey.expiresAt} />}</Fact>
    </Facts>
  );
}
