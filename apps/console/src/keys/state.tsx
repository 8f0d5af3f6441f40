import type { AnswerOf } from '../api/endpoint.ts';
import { Badge } from '../ui/badge.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { type ApiKey, expiresSoon, keyLife } from './life.ts';

export type NewApiKey = AnswerOf<'POST /api/keys'>;

/** Returns whether a key still opens anything. */
export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  switch (keyLife(apiKey, now)) {
    case 'live':
      return expiresSoon(apiKey, now) ? (
        <Ends at={apiKey.expiresAt ?? ''} />
      ) : (
        <Badge tone="ok">Active</Badge>
      );
    case 'ending':
      return <Ends at={apiKey.revokedAt ?? ''} />;
    case 'expired':
      return <Badge tone="bad">Expired</Badge>;
    case 'ended':
      return <Badge>Revoked</Badge>;
  }
}

const Ends = ({ at }: { at: string }) => (
  <Badge tone="warn">
    Expires&nbsp;
    <Time at={at} as="relative" />
  </Badge>
);
