import { refusal } from '../refusal.ts';
import type { Decided } from './decide-kyc.ts';

/** The refusal of a decision that changed nothing. */
export function whyNotDecided({ kind }: Decided, notFound: string, settled: string) {
  switch (kind) {
    case 'not-found':
      return refusal('BUSINESS_NOT_FOUND', notFound);
    case 'oneself':
      return refusal('UNAUTHORIZED_OPERATION', 'you cannot decide about yourself');
    case 'same-operator':
      return refusal('REPEATED_SUBMIT', 'you have already decided: a second operator must agree');
    case 'settled':
    case 'done':
    case 'first':
      return refusal('REPEATED_SUBMIT', settled);
  }
}
