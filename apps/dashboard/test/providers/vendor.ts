import type { Json } from '../dashboard.ts';
import type { Received, Reply } from './fake-server.ts';

/** What a vendor's own server does, on its exact wire. */
export type Vendor = {
  readonly id: string;
  readonly kind: 'kyc' | 'kyt';
  /** Variables that choose it. */
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** The variable of a credential, and one that is wrong. */
  readonly wrong: readonly [name: string, value: string];
  /** Checks the request as the vendor would, and then says `said` of whom it asks about. */
  readonly answer: (received: Received, said: Json, now: Date) => Reply;
  /** What it may say, and what that means to us. */
  readonly meanings: ReadonlyArray<readonly [what: string, said: Json, means: Json]>;
  /** What it may never say: not to be taken for anything. */
  readonly nonsense: ReadonlyArray<readonly [what: string, said: Json]>;
};

export const unauthorized: Reply = { status: 401, body: { message: 'Unauthorized' } };
export const badRequest: Reply = { status: 400, body: { message: 'Bad request' } };
export const notFound: Reply = { status: 404, body: { code: 404, description: 'Not found' } };

export const pass = (riskLevel: string, riskScore: number) => ({ decision: 'pass', riskLevel, riskScore });
export const reject = (riskLevel: string, riskScore: number) => ({
  decision: 'reject',
  riskLevel,
  riskScore,
});
export const kyc = (kycStatus: string) => ({ kycStatus, kycCompleted: kycStatus === 'approved' });

export const parse = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
