import { Badge } from '../../ui/badge.tsx';
import type { ControlAnswer } from '../http.ts';

export type Batch = ControlAnswer<'GET /v1/batch-authorizations'>['items'][number];

const looks = {
  active: { tone: 'ok', name: 'Active' },
  exhausted: { tone: 'plain', name: 'Used up' },
  expired: { tone: 'plain', name: 'Expired' },
  revoked: { tone: 'plain', name: 'Revoked' },
} as const;

/** Returns whether it still stands in for a person. */
export function BatchState({ state }: Pick<Batch, 'state'>) {
  const { tone, name } = looks[state];
  return <Badge tone={tone}>{name}</Badge>;
}

const whole = new Intl.NumberFormat('en');

/** Shows how many of the actions are used up. */
export const Used = ({ batch: { used, max_executions } }: { batch: Batch }) => (
  <span className="figures whitespace-nowrap">
    {whole.format(used)} of {whole.format(max_executions)}
  </span>
);
