import type { ServiceResult } from '@countersign/protocol/dashboard/transaction';
import { Badge } from '../ui/badge.tsx';

const looks = {
  pass: { tone: 'ok', name: 'Paid' },
  reject: { tone: 'plain', name: 'Refused' },
  error: { tone: 'bad', name: 'Failed' },
} as const;

/** How a transaction ended, in a word. */
export function TransactionResult({ result }: { result: ServiceResult }) {
  const { tone, name } = looks[result];
  return <Badge tone={tone}>{name}</Badge>;
}
