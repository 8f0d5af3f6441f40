import { legible } from '../ui/legible.ts';
import type { KycReview } from '@countersign/protocol/dashboard/compliance';

/** Who answers for KYC and KYT, by the name that people know. */
const names: Readonly<Record<string, string>> = {
  'review-queue': 'Review by an operator',
  sumsub: 'Sumsub',
  persona: 'Persona',
  'deny-list': 'Operators’ deny list',
  'ofac-sdn': 'OFAC sanctions list (SDN)',
  demonstration: 'Demonstration list, not for real use',
  'sanctions-oracle': 'On-chain sanctions oracle',
  chainalysis: 'Chainalysis',
  trm: 'TRM Labs',
  elliptic: 'Elliptic',
};

/** Several sources that agree are told with a comma between them. */
export const providerName = (id: string): string =>
  id
    .split(/,\s*/)
    .map((each) => names[each] ?? each)
    .join(', ');

export const documentNames = {
  passport: 'Passport',
  id_card: 'Identity card',
  driving_licence: 'Driving licence',
} as const;

const regions = new Intl.DisplayNames(['en'], { type: 'region' });

/** Returns the name of the country with this ISO 3166-1 alpha-2 code. */
export const countryName = (code: string): string => regions.of(code) ?? code;

/** Whom a submission is about, or why nobody can say. */
export function personName({ fullName, personalData }: Pick<KycReview, 'fullName' | 'personalData'>): string {
  if (fullName !== null) return legible(fullName);
  return personalData === 'erased' ? 'Erased person' : 'Unreadable: sealed under another key';
}
