import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { madeByMachines } from '@countersign/protocol/vault/credential';
import { namesAccount, namesSomebody } from '@countersign/protocol/vault/field-roles';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';
import { parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import type { Secret, Text } from '../../browser/browser.ts';
import { open, type Roots } from '../../credential/envelope.ts';
import { fieldBytes } from '../../credential/field.ts';
import { checkIdentity, type IdentityState } from '../../identity/check.ts';
import { isUnmaskable } from '../../masking/masker.ts';
import type { SessionCredential } from '../about.ts';
import { addClaims } from '../mask-with.ts';
import type { Session } from '../session.ts';
import type { Attempt, StoredCredential } from './attempt.ts';
import type { Objection, Reviewed } from './reviewed.ts';

/** Why a secret could not be had when it was to be used; its words are for agents. */
export class CannotLend extends Error {
  override readonly name = 'CannotLend';
}

/** The properties of a credential, before it is lent. */
export type Inspected = {
  readonly identity: IdentityState | null;
  /** Fields so short that they stand in any text by chance: they are not masked. */
  readonly unmaskable: readonly string[];
};

const noSuchField: Objection = {
  rule: 'credential.unknown-field',
  verdict: 'deny',
  message: 'The credential has no such field. Use the fields of its type.',
};

const falseProof: Objection = {
  rule: 'identity.proof',
  verdict: 'deny',
  message: 'The proof of this identity credential is not valid. It cannot be presented.',
};

/** Opens the credential once to see whether it can be lent, keeps nothing of it, and gives nothing away. */
export function inspect(
  roots: Roots,
  { binding, envelope }: StoredCredential,
  fields: readonly string[],
  now: number,
): Result<Inspected, EnclaveRefusal | Objection> {
  const plaintext = open(roots, binding, envelope);
  if (plaintext === null) return fail({ code: 'CANNOT_DECRYPT' });
  try {
    const unmaskable: string[] = [];
    for (const field of fields) {
      const bytes = fieldBytes(plaintext, field);
      if (bytes === null) return fail(noSuchField);
      if (isUnmaskable(bytes)) unmaskable.push(field);
      bytes.fill(0);
    }
    const identity = binding.type === 'identity_credential' ? identityIn(plaintext, now) : null;
    return identity?.proof === 'false' ? fail(falseProof) : ok({ identity, unmaskable });
  } finally {
    plaintext.fill(0);
  }
}

/** The one plaintext that becomes text here: its proof is over what it says. */
function identityIn(plaintext: Buffer, now: number): IdentityState {
  const { credential_json } = JSON.parse(plaintext.toString()) as {
    credential_json: Record<string, unknown>;
  };
  return checkIdentity(credential_json, now);
}

/**
 * Resolves the placeholders of an operation's value to secrets, which are decrypted only when they are used.
 */
export function textOf(
  session: Session,
  roots: Roots,
  attempt: Attempt,
  reviewed: Reviewed,
  inspected: Inspected | null,
): Text {
  const { operation, meant, stored } = attempt;
  const value = 'value' in operation && typeof operation.value === 'string' ? operation.value : '';
  const template = parseTemplate(value);
  if (!template.ok || value === '') return [];
  return template.value.map((part) => {
    if ('text' in part) return part.text;
    if (meant === null || stored === null || inspected === null) throw new Error('nothing was lent');
    return secretOf(session, roots, { attempt, meant, stored, inspected, reviewed }, part.field);
  });
}

type Loan = {
  readonly attempt: Attempt;
  readonly meant: SessionCredential;
  readonly stored: StoredCredential;
  readonly inspected: Inspected;
  readonly reviewed: Reviewed;
};

function secretOf(session: Session, roots: Roots, loan: Loan, field: string): Secret {
  const { meant, stored, reviewed } = loan;
  const mode = modeOf(meant, reviewed);
  const spend = (): void => {
    if (!namesAccount.has(field)) session.spent.add(meant.credentialId);
  };
  return {
    allowedUrls: patternsOf(meant, reviewed) ?? session.about.patterns,
    mode,
    isName: namesAccount.has(field),
    isAccount: namesSomebody.has(field),
    // The steps of an approved plan are agreed to as they stand.
    asLogin: reviewed.facts.place?.looksLikeLogin === true && stored.uses !== 'agreed',
    called: { credentialId: meant.credentialId, field, at: reviewed.facts.place?.field ?? '' },
    onSent: spend,
    open: async (use) => {
      await recordAccess(session, loan, field);
      if (session.isOver) throw new CannotLend('The session is over.');
      // Where it may not be used no page shows it, and a mask would tell a guesser that it is right.
      const isMade = madeByMachines.has(meant.type);
      const where = isMade || meant.allowedUrls.length === 0 ? null : meant.allowedUrls;
      const plaintext = open(roots, stored.binding, stored.envelope);
      const bytes = plaintext === null ? null : fieldBytes(plaintext, field);
      if (plaintext !== null && meant.type === 'identity_credential')
        addClaims(session.worker, plaintext, where);
      plaintext?.fill(0);
      if (bytes === null) throw new CannotLend('The credential cannot be opened any more.');
      try {
        session.worker.noteLent();
        session.worker.add(bytes, namesAccount.has(field) ? 'name' : isMade ? 'made' : 'secret', where);
        return await use(bytes);
      } finally {
        bytes.fill(0);
      }
    },
  };
}

/** Its own addresses; else the one that was agreed to, and the page that sends it there. Null: a script, wherever the session may go. */
function patternsOf({ allowedUrls }: SessionCredential, { facts: { place }, target }: Reviewed) {
  if (allowedUrls.length > 0) return parseAllowedUrls(allowedUrls);
  if (place === null || target === null) return null;
  return parseAllowedUrls([place.origin, new URL(target.frameUrl).origin]);
}

/** `auto`: into the page only where the field stands in no form, whose request the real value could be put into. */
const modeOf = (
  { fillMode }: SessionCredential,
  { facts: { operation, target } }: Reviewed,
): Secret['mode'] =>
  fillMode === 'auto' ? (operation.type === 'fill' && target?.form === null ? 'dom' : 'network') : fillMode;

async function recordAccess(
  session: Session,
  { attempt, stored: { binding }, inspected: { identity, unmaskable } }: Loan,
  field: string,
): Promise<void> {
  if (session.isOver) throw new CannotLend('The session is over.');
  const { credentialId, serviceId, type, version } = binding;
  const { operationId, approvedBy, who } = attempt;
  const recorded = await session.record({
    eventType: 'credential_access',
    who,
    credentialId,
    detail: {
      operationId,
      field,
      serviceId,
      type,
      version,
      ...(approvedBy !== null && { approvedBy }),
      ...(identity !== null && { identity }),
      ...(unmaskable.includes(field) && { unmaskable: true }),
    },
  });
  if (!recorded.ok) throw new CannotLend('The access to the credential cannot be recorded. Try again later.');
}
