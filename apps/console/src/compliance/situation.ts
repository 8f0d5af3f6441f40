import type { AnswerOf } from '../api/endpoint.ts';

export type OwnStatus = AnswerOf<'GET /api/kyc/status'>;

/** The state of somebody's identity, as it concerns them. */
export type Situation =
  /** Never handed anything in. */
  | 'unknown'
  | 'waiting'
  | 'approved'
  /** Approved, and near the end. */
  | 'renewable'
  /** Approved, and the renewal waits. */
  | 'renewing'
  | 'ended'
  | 'rejected'
  | 'withdrawn';

/** The situation at this time, in ms. */
export function situationOf(status: OwnStatus, now: number): Situation {
  const waits = status.review?.kycStatus === 'pending';
  const passed = (time: string | null) => time !== null && Date.parse(time) <= now;
  if (status.withdrawal !== null) return waits ? 'waiting' : 'withdrawn';
  if (status.kycStatus === 'approved') {
    if (waits) return 'renewing';
    return passed(status.renewableFrom) ? 'renewable' : 'approved';
  }
  if (waits) return 'waiting';
  if (status.kycStatus === 'rejected') return 'rejected';
  if (passed(status.validUntil)) return 'ended';
  return status.submitted ? 'waiting' : 'unknown';
}
