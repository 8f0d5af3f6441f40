import type { ServiceResult } from '@countersign/protocol/dashboard/transaction';
import { Badge } from '../ui/badge.tsx';

const looks = {
  pass: { tone: 'ok', name: 'Paid', said: 'Says paid' },
  reject: { tone: 'plain', name: 'Refused', said: 'Says refused' },
  error: { tone: 'bad', name: 'Failed', said: 'Says failed' },
} as const;

type Props = {
  readonly result: ServiceResult;
  /** Only the other party says so. */
  readonly claimed?: boolean;
};

/** Shows a transaction's result in one word. */
export function TransactionResult({ result, claimed = false }: Props) {
  const { tone, name, said } = looks[result];
  return claimed ? <Badge>{said}</Badge> : <Badge tone={tone}>{name}</Badge>;
}
