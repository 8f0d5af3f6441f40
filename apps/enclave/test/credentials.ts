import { randomUUID } from 'node:crypto';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import type { EnclaveClient } from '@countersign/service/enclave-client';

export const bindingOf = (about: Partial<Binding> = {}): Binding => ({
  tenantId: 'acme',
  credentialId: randomUUID(),
  serviceId: 'github',
  type: 'username_password',
  version: 1,
  ...about,
});

export const login = Buffer.from('{"username":"ada","password":"correct horse"}');

/** Seals a plaintext and gives the request that opens it. */
export async function sealed(
  client: EnclaveClient,
  { binding = bindingOf(), plaintext = login }: { binding?: Binding; plaintext?: Buffer } = {},
): Promise<CommandRequest<'open'>> {
  const answer = await client.call('seal', { binding, sealed: false }, plaintext);
  if (!answer.ok) throw new Error(answer.error.code);
  return { binding, envelope: answer.value.reply.envelope, actor: 'user:ada', reason: 'to sign in' };
}

/** The plaintext, or the code of the refusal. */
export async function opened(client: EnclaveClient, request: CommandRequest<'open'>): Promise<string> {
  const answer = await client.call('open', request);
  return answer.ok ? answer.value.body.toString() : answer.error.code;
}
