import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import { madeByMachines } from '@countersign/protocol/vault/credential';
import { overlap, parseAllowedUrls, wholeOrigins, withAliases } from '@countersign/protocol/vault/url-scope';
import type { Roots } from '../credential/envelope.ts';
import type { About, MaskWith } from './about.ts';
import { maskWith } from './mask-with.ts';
import { type Who, whoOf } from './records.ts';
import type { Session } from './session.ts';

/** A credential that was written while sessions are open, and by whom. */
export type Told = { readonly credential: MaskWith[number]; readonly who: Who };

/** Most that a session is told of, in credentials and in characters of their ciphertexts: it masks no more than it can look for in time. */
const [maxTold, maxToldCharacters] = [100, 4 * 1024 * 1024];

/**
 * Has an open session look for a credential, once the record of that opening is on disk. A session that knows it as it is opens nothing; one of which the
 * opening cannot be recorded, or that has been told of too many, is ended, since it would show what it does not look for.
 */
export async function maskTold(
  session: Session,
  roots: Roots,
  { credential, who }: Told,
): Promise<Result<null, EnclaveRefusal>> {
  if (session.isOver || !isMaskedIn(session.about, credential) || session.masked.has(nameOf(credential)))
    return ok(null);
  session.told.count += 1;
  session.told.characters += credential.envelope.ciphertext.length;
  if (session.told.count > maxTold || session.told.characters > maxToldCharacters) {
    void session.end('crashed');
    return ok(null);
  }
  const { credentialId, serviceId, type, version } = credential.binding;
  const recorded = await session.record({
    eventType: 'credential_access',
    who: whoOf(who),
    credentialId,
    detail: { reason: 'to be masked in this session', serviceId, type, version },
  });
  if (!recorded.ok) {
    void session.end('crashed');
    return recorded;
  }
  if (session.isOver) return ok(null);
  session.told.claims = maskWith(session.worker, roots, [credential], session.told.claims);
  session.masked.add(nameOf(credential));
  return ok(null);
}

/** The same whenever nothing of it that a masker takes into account has changed. A version whose write failed is given to another value. */
export const nameOf = ({ binding, envelope, allowedUrls }: MaskWith[number]): string =>
  JSON.stringify([binding.credentialId, binding.version, envelope.nonce, ...allowedUrls]);

const isMaskedIn = ({ patterns }: About, { binding, allowedUrls }: MaskWith[number]): boolean =>
  madeByMachines.has(binding.type) ||
  overlap(withAliases(wholeOrigins(patterns)), wholeOrigins(parseAllowedUrls(allowedUrls)));
