import { refusal } from '../refusal.ts';
import type { Decided } from './decide-kyc.ts';

/** The refusal of a decision that changed nothing. */
export function whyNotDecided({ kind }: Decided, notFound: string, settled: string) {
  switch (kind) {
    case 'not-found':
      return refusal('BUSINESS_NOT_FOUND', notFound);
    case 'oneself':
      return refusal('UNAUTHORIZED_OPERATION', 'nobody decides about oneself');
    case 'same-operator':
      return refusal('REPEATED_SUBMIT', 'you have said so already: a second operator has to');
    case 'settled':
    case 'done':
    case 'first':
      return refusal('REPEATED_SUBMIT', settled);
  }
}
