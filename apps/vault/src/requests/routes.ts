import { randomUUID } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import { checkFields, parseTemplate } from '@countersign/protocol/vault/placeholder';
import type { requestRoutes } from '@countersign/protocol/vault/request-routes';
import type { z } from 'zod';
import { actorOf, type Caller, type VaultHandlers } from '../callers.ts';
import { envelopeOf } from '../credentials/envelope-row.ts';
import { noSuchCredential, type Reached } from '../credentials/reached.ts';
import { bindingOf, type SealedCredential } from '../credentials/store.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { type Answer, type Refusal, refusal } from '../refusal.ts';
import { usableCredential } from '../sandbox/credential-use.ts';

type Parts = { readonly reached: Reached; readonly enclave: Enclave; readonly now: () => Date };
type Handler = VaultHandlers['sendRequest'];
type Call = Parameters<Handler>[0];
type Sent = z.output<typeof requestRoutes.sendRequest.data>;

/** Has the enclave send one request with a credential, which neither the vault nor its caller sees. */
export const requestHandlers = ({ reached, enclave, now }: Parts): Pick<VaultHandlers, 'sendRequest'> => ({
  async sendRequest({ params, body, caller, gone }) {
    const id = params['id'] ?? '';
    const credential = await usableCredential(reached, caller, id, now());
    if (!credential.ok) return credential;
    const checked = checkTemplates(body.credential_headers, credential.value);
    if (!checked.ok) return checked;
    const sent = await send(enclave, credential.value, { body, caller, gone });
    if (sent !== 'not-opened') return sent;
    // It may have been put under a new root secret since it was read; nothing was sent.
    const fresh = await reached({ ...caller, ahead: null }, params);
    const again = fresh === null ? noSuchCredential : await send(enclave, fresh, { body, caller, gone });
    if (again === 'not-opened') throw new EnclaveFailed('credential.request', { code: 'CANNOT_DECRYPT' });
    return again;
  },
});

/** Refuses headers with a placeholder that the credential does not have, and credentials that only a session may show. */
function checkTemplates(
  headers: Call['body']['credential_headers'],
  { type }: SealedCredential,
): Result<null, Refusal> {
  if (type === 'identity_credential')
    return refusal('invalid_request', 'an identity_credential is presented in browser sessions alone');
  const templates = Object.values(headers).map(parseTemplate);
  for (const template of templates) {
    const checked = template.ok ? checkFields(template.value, type) : template;
    if (!checked.ok) return refusal('invalid_request', `credential_headers: ${checked.error}`);
  }
  return ok(null);
}

type Asked = Pick<Call, 'body' | 'gone'> & { readonly caller: Caller };

/** Once nobody waits for the answer the enclave is told to end it. */
async function endedBy<T>(
  gone: AbortSignal | undefined,
  end: () => void,
  begin: () => Promise<T>,
): Promise<T> {
  gone?.addEventListener('abort', end, { once: true });
  try {
    const begun = begin();
    if (gone?.aborted === true) end();
    return await begun;
  } finally {
    gone?.removeEventListener('abort', end);
  }
}

async function send(
  enclave: Enclave,
  credential: SealedCredential,
  { body, caller, gone }: Asked,
): Promise<Answer<Sent> | 'not-opened'> {
  const requestId = randomUUID();
  const end = (): void => void enclave.call('credential.endRequest', { requestId }).catch(() => {});
  const came = await endedBy(gone, end, () =>
    enclave.call('credential.request', {
      requestId,
      binding: bindingOf(credential),
      envelope: envelopeOf(credential),
      allowedUrls: [...credential.allowedUrls],
      actor: actorOf(caller),
      ...(caller.agentDid !== null && { agentDid: caller.agentDid }),
      send: body,
    }),
  );
  if (!came.ok && came.error.code === 'CANNOT_DECRYPT') return 'not-opened';
  if (!came.ok) throw new EnclaveFailed('credential.request', came.error);
  const { auditId, answer, problem } = came.value.reply;
  if (problem === 'outside_allowed_urls')
    return refusal(
      'invalid_request',
      'url: the credential may not be used there; its owner names the address in its allowed_urls',
    );
  if (problem === 'busy')
    return {
      ...refusal('rate_limited', 'too many requests with credentials are under way: wait for one to end'),
      headers: { 'retry-after': '1' },
    };
  const told = answer && { ...answer, body: came.value.body.toString('base64') };
  return ok({ audit_id: auditId, answer: told, problem });
}
