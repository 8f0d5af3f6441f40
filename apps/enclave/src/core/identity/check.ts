import { checkEddsaJcs } from './eddsa-jcs-2022.ts';
import { checkEip712 } from './eip712-2021.ts';
import type { Proof, ProofState } from './proof.ts';

/** The state of a verifiable credential when it is used; the access record includes it. */
export type IdentityState = {
  /** Whether it has the members of a W3C credential. */
  readonly shape: 'complete' | 'incomplete';
  readonly dates: 'current' | 'expired' | 'not-yet' | 'unreadable';
  readonly proof: ProofState;
};

type Document = Readonly<Record<string, unknown>>;

/** Checks `credential_json` of an identity credential; `now` in Unix milliseconds. */
export function checkIdentity(credential: Document, now: number): IdentityState {
  const { proof, ...document } = credential;
  return {
    shape: isComplete(credential) ? 'complete' : 'incomplete',
    dates: datesOf(document, now),
    proof: isObject(proof) ? proofState(document, proof) : 'unchecked',
  };
}

/** `validFrom` is what the data model's second version calls `issuanceDate`. */
function isComplete(credential: Document): boolean {
  const { type } = credential;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const hasAll = ['@context', 'issuer', 'credentialSubject', 'proof'].every(
    (name) => credential[name] !== undefined,
  );
  const hasDate = (credential['issuanceDate'] ?? credential['validFrom']) !== undefined;
  return hasAll && hasDate && types.includes('VerifiableCredential');
}

function datesOf(document: Document, now: number): IdentityState['dates'] {
  const from = timeOf(document['issuanceDate'] ?? document['validFrom']);
  const end = document['expirationDate'] ?? document['validUntil'];
  const until = end === undefined ? Infinity : timeOf(end);
  if (Number.isNaN(from) || Number.isNaN(until)) return 'unreadable';
  if (now < from) return 'not-yet';
  return now < until ? 'current' : 'expired';
}

const timeOf = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

function proofState(document: Document, proof: Proof): ProofState {
  const state = signatureState(document, proof);
  if (state !== 'valid') return state;
  if (proof['proofPurpose'] !== 'assertionMethod') return 'false';
  return issuerState(document['issuer'], String(proof['verificationMethod']));
}

function signatureState(document: Document, proof: Proof): ProofState {
  if (proof['type'] === 'DataIntegrityProof' && proof['cryptosuite'] === 'eddsa-jcs-2022')
    return checkEddsaJcs(document, proof);
  if (proof['type'] === 'EthereumEip712Signature2021') return checkEip712(document, proof);
  return 'unchecked';
}

/** Whoever signed must be the issuer. Whether a key belongs to an issuer that does not name it, only the network knows. */
function issuerState(issuer: unknown, method: string): ProofState {
  const name = String(isObject(issuer) ? issuer['id'] : issuer);
  if (subjectOf(name) === subjectOf(method)) return 'valid';
  return /^did:(key|ethr):/.test(name) ? 'false' : 'unchecked';
}

/** Returns the subject that a DID names: the address in lower case on any chain, otherwise the whole DID. */
const subjectOf = (did: string): string =>
  /^did:ethr:(?:[\w-]+:)?(0x[0-9a-fA-F]+)/.exec(did)?.[1]?.toLowerCase() ?? did.split('#')[0] ?? '';

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
