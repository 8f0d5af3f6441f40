import {
  type DomainVerdict,
  maxPayeeFileBytes,
  payeeDomainDomain,
  type PayeeDomainProof,
  payeeDomainTypes,
  payeeDomainFile,
  payeeFilePath,
} from '@countersign/protocol/dashboard/payee-domain';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';
import { parseUrl } from '@countersign/protocol/url';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { SignedBy } from '../auth/wallet-signature.ts';
import { type FetchPublic, type PublicAnswer, publicFetcher, type TestNetwork } from '../fetch-public.ts';

const limits = { maxBytes: maxPayeeFileBytes, patienceMs: 5_000, userAgent: 'countersign-payees' };

/** At most 64 KiB, each answer within 5 s, of public addresses alone. */
export const payeeFileFetcher = (network?: TestNetwork): FetchPublic => publicFetcher(limits, network);

const maxRedirects = 3;

type Failed = Extract<DomainVerdict, 'UNREACHABLE' | 'NO_FILE' | 'REDIRECTED' | 'UNREADABLE'>;

/** The entries of a domain's file, or why there are none. Redirects are followed within the host. Never rejects. */
export async function readPayeeFile(
  fetchPublic: FetchPublic,
  domain: string,
): Promise<Failed | readonly PayeeDomainProof[]> {
  let url = parseUrl(`https://${domain}${payeeFilePath}`);
  if (url === null) return 'UNREACHABLE';
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await fetchPublic(url.href).catch(() => null);
    if (answer === null) return 'UNREACHABLE';
    if (answer.status === 200) return parsePayeeFile(answer.text) ?? 'UNREADABLE';
    if (answer.status === 404 || answer.status === 410) return 'NO_FILE';
    const next = redirectOf(answer, url);
    if (!(next instanceof URL)) return next;
    url = next;
  }
  return 'UNREACHABLE';
}

/** Returns the redirect's target on the same host, or why it has none. */
function redirectOf({ status, location }: PublicAnswer, url: URL): URL | 'UNREACHABLE' | 'REDIRECTED' {
  if (status < 300 || status >= 400 || location === null) return 'UNREACHABLE';
  const next = parseUrl(location, url);
  const within = next?.origin === url.origin && next.username === '' && next.password === '';
  return within ? next : 'REDIRECTED';
}

/**
 * Null for anything but the file that docs/spec/signatures.md describes: written again without blanks it is the same text,
 * so a member that stands twice, an escape, or another spelling of a number has no second reading.
 */
export function parsePayeeFile(text: string): readonly PayeeDomainProof[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (JSON.stringify(parsed) !== text.replace(/[ \t\r\n]/g, '')) return null;
    const file = payeeDomainFile.safeParse(parsed);
    return file.success ? file.data.proofs : null;
  } catch {
    return null;
  }
}

const hash = typedDataHasher('PayeeDomain', payeeDomainTypes.PayeeDomain);

/** The EIP-712 hash that the address signs. */
export const proofHash = ({ domain, address, networks, notBefore, notAfter }: PayeeDomainProof): Uint8Array =>
  hash(payeeDomainDomain, { domain, address, networks, notBefore, notAfter });

type Judging = {
  readonly signedBy: SignedBy;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly now: Date;
};

export type Said = { readonly verdict: DomainVerdict; readonly until: string | null };

/** Returns what the entries of a domain's file state about a payout address of its record. */
export async function saidOf(
  proofs: readonly PayeeDomainProof[],
  { domain, address, networks }: PayoutAddress & { readonly domain: string },
  { signedBy, chain, now }: Judging,
): Promise<Said> {
  const proof = proofs.find((each) => each.address === address);
  if (proof === undefined) return { verdict: 'NOT_NAMED', until: null };
  const signed = await signedBy(address, proofHash(proof), proof.signature);
  if (signed === null) return { verdict: 'SIGNATURE_INVALID', until: null };
  const spoken = signed === 'key' ? proof : { ...proof, networks: spokenOn(proof.networks, chain) };
  return { verdict: verdictOf(spoken, { domain, networks }, now), until: proof.notAfter };
}

/** A contract speaks for the chain that it was asked on, if it says so. An id that is none stands for no network. */
const spokenOn = (networks: readonly string[], chain: string): readonly string[] =>
  networks.length === 0 || networks.includes(chain) ? [chain] : ['none'];

function verdictOf(
  proof: Omit<PayeeDomainProof, 'networks'> & { readonly networks: readonly string[] },
  { domain, networks }: { readonly domain: string; readonly networks: readonly string[] | null },
  now: Date,
): DomainVerdict {
  if (proof.domain !== domain) return 'OTHER_DOMAIN';
  if (Date.parse(proof.notBefore) > now.getTime()) return 'NOT_YET_VALID';
  if (Date.parse(proof.notAfter) <= now.getTime()) return 'PROOF_EXPIRED';
  const everywhere = proof.networks.length === 0;
  const covered = everywhere || (networks?.every((each) => proof.networks.includes(each)) ?? false);
  return covered ? 'PROVED' : 'OTHER_NETWORK';
}
