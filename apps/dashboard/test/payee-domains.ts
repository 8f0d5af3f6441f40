import {
  maxPayeeFileBytes,
  type PayeeDomainProof,
  payeeDomainTypedData,
  payeeFilePath,
} from '@countersign/protocol/dashboard/payee-domain';
import { addressText } from '@countersign/protocol/address';
import type { FetchPublic } from '../src/fetch-public.ts';
import type { Wallet } from './dashboard.ts';

export { maxPayeeFileBytes, payeeFilePath };

type Terms = Omit<PayeeDomainProof, 'signature' | 'address'>;

export const usualTerms: Terms = {
  domain: 'quotes.example',
  networks: [],
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2027-06-01T00:00:00Z',
};

/** What a wallet says about a domain; `claims` is whose address it writes down. */
export function proofBy(wallet: Wallet, more: Partial<Terms> = {}, claims: string = wallet.address) {
  const message = { ...usualTerms, ...more, address: addressText.parse(claims) };
  return { ...message, signature: wallet.signTypedData(payeeDomainTypedData(message)) };
}

export const fileOf = (...proofs: readonly object[]): string =>
  JSON.stringify({ version: 1, proofs }, null, 2);

/** Domains as a test makes them: what each answers, and who was asked. One that is not here cannot be reached. */
export function fakeDomains() {
  const answers = new Map<string, { status: number; text: string; location: string | null }>();
  const asked: string[] = [];
  const fetchPublic: FetchPublic = (url) => {
    asked.push(url);
    const answer = answers.get(new URL(url).host);
    return answer === undefined ? Promise.reject(new Error('nobody there')) : Promise.resolve(answer);
  };
  return {
    fetchPublic,
    asked,
    serve: (domain: string, text: string) => answers.set(domain, { status: 200, text, location: null }),
    answer: (domain: string, status: number, location: string | null = null) =>
      answers.set(domain, { status, text: '', location }),
    silence: (domain: string) => answers.delete(domain),
  };
}
