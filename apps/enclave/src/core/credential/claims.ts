import { spellingsOf } from '../masking/dates.ts';

/** Maximum number of claims that are masked; further ones are ignored. */
const maxClaims = 64;
/** Maximum length of a claim, in characters; longer ones are pictures or documents. */
const maxCharacters = 512;
const minCharacters = 4;
const maxDepth = 16;

/** They say what a claim is, or who holds the credential, not what is claimed. */
const notClaimed = new Set(['id', 'type', '@context', '@id', '@type']);
/** A year, a postcode: to look for it would hide every number of as many digits. */
const fewDigits = /^\d{4,6}$/;
const words = new Set(['true', 'false', 'null', 'none']);

/**
 * What an identity credential says of its subject, each claim a secret of its own: texts and numbers of four characters or more at
 * any depth, dates in their ordinary spellings too. They become text here, as its proof does. The caller wipes the bytes.
 */
export function claimsIn(plaintext: Buffer): Buffer[] {
  const { credential_json } = JSON.parse(plaintext.toString()) as {
    credential_json?: { credentialSubject?: unknown };
  };
  const claims = new Set<string>();
  collect(credential_json?.credentialSubject, claims, 0);
  const spelt = new Set([...claims].flatMap((claim) => [claim, ...spellingsOf(claim)]));
  return [...spelt].map((claim) => Buffer.from(claim));
}

function collect(value: unknown, into: Set<string>, depth: number): void {
  if (into.size >= maxClaims || depth > maxDepth) return;
  if (typeof value === 'string' || typeof value === 'number') {
    const claim = String(value).trim();
    if (isLookedFor(claim)) into.add(claim);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      if (!notClaimed.has(name)) collect(member, into, depth + 1);
}

const isLookedFor = (claim: string): boolean =>
  claim.length >= minCharacters &&
  claim.length <= maxCharacters &&
  !words.has(claim.toLowerCase()) &&
  !fewDigits.test(claim);
