import type { Payee, PayoutAddress } from '@countersign/protocol/dashboard/payees';

/** A business record as it stands in the form: text, and lists with one entry a line. */
export type PayeeDraft = {
  readonly legalName: string;
  readonly domain: string;
  readonly addresses: string;
  readonly lastDay: string;
  /** When the record that is changed ends, to the second; it stays so until the day is changed. Null for a new record. */
  readonly end: string | null;
  readonly links: string;
  readonly registryNumbers: string;
  readonly reason: string;
};

/** The fields that are typed. */
export type DraftField = Exclude<keyof PayeeDraft, 'end'>;
export type Faults = Partial<Record<DraftField, string>>;

const dayMs = 86_400_000;

/** A new payee, valid for a year unless the operator says otherwise. */
export const emptyDraft = (addresses: string, now: number): PayeeDraft => ({
  legalName: '',
  domain: '',
  addresses,
  lastDay: new Date(now + 365 * dayMs).toISOString().slice(0, 10),
  end: null,
  links: '',
  registryNumbers: '',
  reason: '',
});

type Version = Pick<Payee, 'legalName' | 'domain' | 'addresses' | 'validUntil' | 'links' | 'registryNumbers'>;

/** A record to be changed. */
export const draftOf = (version: Version): PayeeDraft => ({
  legalName: version.legalName,
  domain: version.domain,
  addresses: version.addresses.flatMap(linesOf).join('\n'),
  lastDay: version.validUntil.slice(0, 10),
  end: version.validUntil,
  links: version.links.join('\n'),
  registryNumbers: version.registryNumbers.join('\n'),
  reason: '',
});

/** Returns the address as it is typed: CAIP-10 names the network. */
const linesOf = ({ address, networks }: PayoutAddress): readonly string[] =>
  networks === null ? [address] : networks.map((network) => `${network}:${address}`);

/** Returns an error message for each invalid field. The server checks the rest. */
export function faultsOf(draft: PayeeDraft, now: number): Faults {
  const addresses = words(draft.addresses);
  const odd = addresses.find((line) => !/^(eip155:[1-9]\d*:)?0x[0-9a-fA-F]{40}$/.test(line));
  const link = words(draft.links).find((line) => !line.startsWith('https://'));
  return {
    ...(draft.legalName.trim() === '' && { legalName: 'Enter the legal name of the business.' }),
    ...(!draft.domain.includes('.') && { domain: 'Enter a domain, such as shop.example.' }),
    ...(addresses.length === 0 && { addresses: 'Enter an address.' }),
    ...(odd !== undefined && { addresses: `“${odd.slice(0, 24)}” is not an address.` }),
    ...(link !== undefined && { links: `“${link.slice(0, 24)}” is not an https link.` }),
    ...(!(endOf(draft) > now) && { lastDay: 'Enter a day in the future.' }),
  };
}

/** Returns the request's body. */
export function bodyOf(draft: PayeeDraft) {
  const reason = draft.reason.trim();
  return {
    legalName: draft.legalName.trim(),
    domain: draft.domain.trim(),
    addresses: addressesOf(words(draft.addresses)),
    links: words(draft.links),
    registryNumbers: lines(draft.registryNumbers),
    validUntil: new Date(endOf(draft)).toISOString(),
    ...(reason !== '' && { reason }),
  };
}

/** Lines of one address are networks of that address; one without a network means all of them. */
function addressesOf(all: readonly string[]): { address: string; networks: string[] | null }[] {
  const found = new Map<string, string[] | null>();
  for (const line of all) {
    const colon = line.lastIndexOf(':');
    const address = line.slice(colon + 1);
    const known = found.get(address);
    if (colon < 0 || known === null) found.set(address, null);
    else found.set(address, [...(known ?? []), line.slice(0, colon)]);
  }
  return [...found].map(([address, networks]) => ({ address, networks }));
}

/** The last day counts whole, in UTC, unless the record that is changed ends on that day already. */
const endOf = ({ lastDay, end }: Pick<PayeeDraft, 'lastDay' | 'end'>): number =>
  Date.parse(end?.slice(0, 10) === lastDay ? end : `${lastDay}T23:59:59Z`);

const words = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
