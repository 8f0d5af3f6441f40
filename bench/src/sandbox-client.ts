import type { ConnectionCard } from '@countersign/local/connection-card';

export type OperationAnswer = {
  readonly status: string;
  readonly result: unknown;
  readonly review: { readonly duration_ms: number };
};

/** A session as an agent has it, over HTTP. */
export type BenchSession = {
  readonly execute: (type: string, about?: { selector?: string; value?: string }) => Promise<OperationAnswer>;
  readonly screenshot: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type SandboxClient = {
  /** A credential for this site alone. */
  readonly keep: (url: string) => Promise<string>;
  readonly open: (url: string, credentialIds?: readonly string[]) => Promise<BenchSession>;
};

/** Speaks to the vault as its admin. Throws at any refusal: the benchmark asks for nothing that is refused. */
export async function sandboxClient({
  vaultUrl,
  vaultUser,
}: Pick<ConnectionCard, 'vaultUrl' | 'vaultUser'>): Promise<SandboxClient> {
  let token = '';
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${vaultUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  token = (await ask<{ access_token: string }>('POST', '/auth/login', vaultUser)).access_token;
  return {
    keep: async (url) => {
      const plaintext_data = { username: 'a.customer', password: 'correct horse battery staple' };
      const body = {
        service_id: 'bench',
        credential_type: 'username_password',
        plaintext_data,
        allowed_urls: [url],
      };
      return (await ask<{ id: string }>('POST', '/credentials', body)).id;
    },
    open: async (url, credential_ids = []) => {
      const body = { credential_ids, task: 'Log in and read the page', allowed_urls: [url] };
      const { id } = await ask<{ id: string }>('POST', '/sandbox/sessions', body);
      const path = `/sandbox/sessions/${id}`;
      return {
        execute: (operation_type, about = {}) =>
          ask<OperationAnswer>('POST', `${path}/execute`, { operation_type, ...about }),
        screenshot: async () => void (await ask('POST', `${path}/screenshot`, {})),
        close: async () => void (await ask('DELETE', path)),
      };
    },
  };
}
