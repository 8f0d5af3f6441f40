import type { Business } from '@countersign/protocol/dashboard/business';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';
import type { Claimed } from './claim.ts';

type Facts = NonNullable<Business['facts']>;

/** A business as it stands in the form: lists have one entry a line. */
export type BusinessDraft = Readonly<Record<'legalName' | 'domain' | 'registryNumbers' | 'links', string>>;

export const emptyDraft: BusinessDraft = { legalName: '', domain: '', registryNumbers: '', links: '' };

/** Whoever submits again starts from what they submitted last. */
export const draftOf = ({ legalName, domain, registryNumbers, links }: Facts): BusinessDraft => ({
  legalName,
  domain,
  registryNumbers: registryNumbers.join('\n'),
  links: links.join('\n'),
});

export const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

/** However each is written. */
export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns an error message for each invalid field. The server checks the rest. */
export function faultsOf(draft: BusinessDraft): Partial<BusinessDraft> {
  const link = lines(draft.links).find((line) => !line.startsWith('https://'));
  return {
    ...(draft.legalName.trim() === '' && { legalName: 'Enter the legal name of the business.' }),
    ...(!draft.domain.includes('.') && { domain: 'Enter a domain, such as shop.example.' }),
    ...(link !== undefined && { links: `“${link.slice(0, 24)}” is not an https link.` }),
  };
}

/**
 * Returns the request's body. The wallet that signed in needs no claim. Addresses keep the networks that they
 * had `before`.
 */
export function bodyOf(
  draft: BusinessDraft,
  own: string,
  claims: readonly Claimed[],
  before: readonly PayoutAddress[],
) {
  const networksOf = (address: string) =>
    before.find((each) => isSame(each.address, address))?.networks ?? null;
  return {
    legalName: draft.legalName.trim(),
    domain: draft.domain.trim(),
    registryNumbers: lines(draft.registryNumbers),
    links: lines(draft.links),
    addresses: [
      { address: own, networks: networksOf(own), claim: null },
      ...claims.map(({ address, ...claim }) => ({ address, networks: networksOf(address), claim })),
    ],
  };
}

const lines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];
