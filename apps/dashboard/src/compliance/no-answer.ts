import type { Logger } from '@countersign/service/logger';
import { refusal } from '../refusal.ts';
import { whyOf } from './kyt.ts';
import type { Unavailable } from '../screening/ports.ts';

/** A provider without a trustworthy answer is an error, never a pass. Its reason is for the log alone. */
export function noAnswer(log: Logger, about: 'KYC' | 'KYT' | 'KYB', answer: Unavailable) {
  log.error({ about, why: whyOf(answer) }, 'no answer from a compliance provider');
  return refusal('SYSTEM_ERROR', 'the compliance provider is unavailable');
}
