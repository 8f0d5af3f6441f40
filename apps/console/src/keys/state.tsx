import type { AnswerOf } from '../api/endpoint.ts';
import { Badge } from '../ui/badge.tsx';
import { Time, useNow } from '../ui/time.tsx';

export type ApiKey = AnswerOf<'GET /api/keys'>['data'][number];
export type NewApiKey = AnswerOf<'POST /api/keys'>;

/** `ending`: it was rolled, and works until its grace is over. */
export function keyState({ revokedAt }: ApiKey, now: number): 'live' | 'ending' | 'ended' {
  if (revokedAt === null) return 'live';
  return Date.parse(revokedAt) > now ? 'ending' : 'ended';
}

/** Whether a key still opens anything. */
export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  switch (keyState(apiKey, useNow())) {
    case 'live':
      return <Badge tone="ok">Active</Badge>;
    case 'ending':
      return (
        <Badge tone="warn">
          Ends&nbsp;
          <Time at={apiKey.revokedAt ?? ''} as="relative" />
        </Badge>
      );
    case 'ended':
      return <Badge>Ended</Badge>;
  }
}
