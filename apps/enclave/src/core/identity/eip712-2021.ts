import { parseAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { encodeDocument, isTypedOtherwise } from './document-types.ts';
import type { Proof, ProofState } from './proof.ts';

/**
 * Checks a proof of the suite `EthereumEip712Signature2021` by the address of a did:ethr. The types are made of the
 * document, never taken from the proof, which could leave members out.
 */
export function checkEip712(document: Readonly<Record<string, unknown>>, proof: Proof): ProofState {
  const { proofValue, eip712, ...signedOptions } = proof;
  const address = addressOfDid(String(proof['verificationMethod']));
  const settings = settingsOf(eip712);
  if (address === null || settings === null) return 'unchecked';
  const signed = { ...document, proof: signedOptions };
  const message = encodeDocument(signed, settings.primaryType);
  if (message === null) return 'unchecked';
  const separator = encodeDomain(settings.domain);
  if (separator === null) return 'unchecked';
  const digest = keccak256(Buffer.concat([Buffer.from([0x19, 0x01]), separator, message.hash]));
  const signer = recoverSigner(digest, String(proofValue));
  if (signer?.address === address) return 'valid';
  // With types of its own that leave nothing out it is signed, perhaps, in a way that we cannot follow.
  const { types, primaryType } = settings;
  return isTypedOtherwise(types, message, primaryType, signed) ? 'unchecked' : 'false';
}

/** Null for a did:ethr that names a public key, and any other DID. */
function addressOfDid(did: string) {
  const [, address] = /^did:ethr:(?:[\w-]+:)?(0x[0-9a-fA-F]{40})(?:#[\w-]+)?$/.exec(did) ?? [];
  return address === undefined ? null : parseAddress(address.toLowerCase());
}

type Settings = {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly types: unknown;
};

function settingsOf(eip712: unknown): Settings | null {
  if (!isObject(eip712)) return null;
  const { domain, primaryType = 'VerifiableCredential', types = eip712['messageSchema'] } = eip712;
  if (!isObject(domain) || typeof primaryType !== 'string' || !/^[A-Za-z]\w*$/.test(primaryType)) return null;
  return { domain, primaryType, types };
}

const domainFields = ['name', 'version', 'chainId', 'verifyingContract'] as const;
const domainTypes = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' };

/** Null for a domain with other members, or with values that are none. */
function encodeDomain(domain: Readonly<Record<string, unknown>>): Buffer | null {
  const present = domainFields.filter((field) => domain[field] !== undefined);
  if (present.length !== Object.keys(domain).length) return null;
  const type = `EIP712Domain(${present.map((field) => `${domainTypes[field]} ${field}`).join(',')})`;
  const words = present.map((field) => domainWord(field, domain[field]));
  if (words.some((word) => word === null)) return null;
  return Buffer.from(keccak256(Buffer.concat([keccak256(type), ...words.filter((word) => word !== null)])));
}

function domainWord(field: (typeof domainFields)[number], value: unknown): Uint8Array | null {
  if (field === 'name' || field === 'version') return typeof value === 'string' ? keccak256(value) : null;
  if (field === 'verifyingContract') {
    const address = typeof value === 'string' ? parseAddress(value.toLowerCase()) : null;
    return address === null ? null : Buffer.from(address.slice(2).padStart(64, '0'), 'hex');
  }
  const isChain = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isChain ? Buffer.from(value.toString(16).padStart(64, '0'), 'hex') : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
