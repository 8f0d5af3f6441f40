import type { VaultCode } from '@countersign/protocol/vault/codes';
import type { CredentialType, plaintextData } from '@countersign/protocol/vault/credential';
import type { CredentialInfo, credentialRoutes } from '@countersign/protocol/vault/credential-routes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import type { BodyInputOf, DataOf } from '@countersign/protocol/route';
import { type Answer, type CallOptions, type Client, createClient } from '@countersign/service/client';
import type { z } from 'zod';
import { type Attested, enclaveBehind, type SealedAnswer, type Trust } from './attest.ts';
import { newRecipient, seal } from './seal.ts';
import { givenToken, renewedTokens, type Tokens, withToken } from './token.ts';

export type VaultOptions = {
  /** Such as `http://127.0.0.1:4022`. */
  readonly url: string;
  /** A user, or the token that somebody generated for an agent. */
  readonly as: Login | { readonly token: string };
  /** Which enclave may have secrets; by default none without hardware, and none whose program you did not name. */
  readonly trust?: Trust;
  /** PEM of the authority to believe in place of the public ones. */
  readonly ca?: string;
  /** Default 60 seconds: a browser may take that long. */
  readonly timeoutMs?: number;
};
type Login = { readonly username: string; readonly password: string };

type Sealed = BodyInputOf<typeof credentialRoutes.createCredential>;
/** A credential as its owner has it; each type has its fields. */
export type NewCredential = {
  [Type in CredentialType]: Omit<Sealed, 'credential_type' | 'plaintext_data' | 'sealed_data'> & {
    readonly credential_type: Type;
    readonly plaintext_data: z.input<(typeof plaintextData)[Type]>;
  };
}[CredentialType];

/** A credential as it comes back: which fields it has, its type says. */
export type Decrypted = Omit<DataOf<typeof credentialRoutes.decryptCredential>, 'sealed_data'> & {
  readonly plaintext_data: Readonly<Record<string, unknown>>;
};

type Routes = Omit<
  Client<typeof vaultRoutes, VaultCode>,
  'createCredential' | 'putCredentialValue' | 'decryptCredential'
>;

/** Every endpoint of the vault, by the name that its route has. Secrets travel sealed, both ways. */
export type Vault = Routes & {
  /** Seals `plaintext_data` for the enclave, once that is attested: the API process never sees it. */
  readonly createCredential: (
    input: { readonly body: NewCredential } & CallOptions,
  ) => Promise<SealedAnswer<CredentialInfo, VaultCode>>;
  /** Seals what is to take the place of what the credential holds; the enclave checks it by the credential's type. */
  readonly putCredentialValue: (
    input: {
      readonly params: { readonly id: string };
      readonly body: { readonly plaintext_data: NewCredential['plaintext_data'] };
    } & CallOptions,
  ) => Promise<SealedAnswer<CredentialInfo, VaultCode>>;
  /** Has it sealed for a key of this one call. */
  readonly decryptCredential: (
    input: {
      readonly params: { readonly id: string };
      readonly body: { readonly reason: string };
    } & CallOptions,
  ) => Promise<Answer<Decrypted, VaultCode>>;
  readonly attest: () => Promise<Answer<Attested, VaultCode>>;
};

/** A vault, for one user or agent. A user is logged in at the first call, and again when the login has ended. */
export function connectVault({ url, as, trust, ca, timeoutMs = 60_000 }: VaultOptions): Vault {
  const baseUrl = new URL(url);
  const client = createClient(vaultRoutes, vaultDialect, { baseUrl, timeoutMs, ...(ca && { tls: { ca } }) });
  const tokens = 'token' in as ? givenToken<VaultCode>(as.token) : loginTokens(client, as);
  const vault = withToken(client, vaultRoutes, { auth: 'bearer', tokens, ended: 'token_expired' });
  const { attest, sealKey } = enclaveBehind(client.attestationReport, trust);
  return {
    ...vault,
    attest,
    async createCredential({ body: { plaintext_data, ...about }, ...options }) {
      const key = await sealKey();
      if (key.kind !== 'ok') return key;
      const body = { ...about, sealed_data: await seal(key.data, plaintext_data) };
      return vault.createCredential({ ...options, body });
    },
    async putCredentialValue({ body: { plaintext_data }, ...input }) {
      const key = await sealKey();
      if (key.kind !== 'ok') return key;
      const body = { sealed_data: await seal(key.data, plaintext_data) };
      return vault.putCredentialValue({ ...input, body });
    },
    async decryptCredential({ body: { reason }, ...input }) {
      const recipient = await newRecipient();
      const body = { reason, recipient_public_key: recipient.publicKey };
      const answer = await vault.decryptCredential({ ...input, body });
      if (answer.kind !== 'ok') return answer;
      const { id, audit_id, sealed_data = '' } = answer.data;
      const opened = await recipient.open(sealed_data);
      if (typeof opened !== 'object' || opened === null)
        return { kind: 'failed', asked: answer.asked, why: 'malformed' };
      return { ...answer, data: { id, audit_id, plaintext_data: opened as Record<string, unknown> } };
    },
  };
}

/** Access tokens live 15 minutes; refresh tokens are spent by use. */
const loginTokens = (client: Client<typeof vaultRoutes, VaultCode>, login: Login): Tokens<VaultCode> =>
  renewedTokens(async (last: { token: string; refresh: string } | null) => {
    const renewed = last && (await client.refresh({ body: { refresh_token: last.refresh } }));
    const answer = renewed?.kind === 'ok' ? renewed : await client.login({ body: login });
    if (answer.kind !== 'ok') return answer;
    const { access_token, refresh_token } = answer.data;
    return { ...answer, data: { token: access_token, refresh: refresh_token } };
  });
