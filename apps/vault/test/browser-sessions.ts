import type { CommandReply } from '@countersign/protocol/enclave/commands';
import type { SessionState } from '@countersign/protocol/enclave/session-commands';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import type { OperationResult, SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { Scope } from '@countersign/protocol/vault/scopes';
import { expect } from 'vitest';
import { scriptedEnclave } from './scripted-enclave.ts';
import { type Json, openVault } from './vault.ts';

const isolation: SandboxIsolation = {
  level: 'full',
  network_namespace: true,
  own_user: true,
  process_namespace: true,
  chromium_sandbox: true,
  memory_cap: 'cgroup',
  cpu_cap: 'cgroup',
  tool: 'unshare',
};

/** How the enclave tells of a session. */
export const state = (more: Partial<SessionState> = {}): SessionState => ({
  status: 'active',
  currentUrl: null,
  isolation,
  pending: [],
  ...more,
});

/** How the enclave tells of an operation. */
export const done = (
  operation_id: string,
  more: Partial<OperationResult> = {},
): CommandReply<'session.operate'> => ({
  operation: {
    operation_id,
    status: 'executed',
    result: null,
    review: { verdict: 'allow', rules: [], duration_ms: 0.5 },
    audit_id: `audit of ${operation_id}`,
    duration_ms: 12.5,
    ...more,
  },
  session: state({ currentUrl: 'https://shop.example/' }),
});

/** How the enclave tells of what left. */
export const left = (what: LeftOnce['what'], bytes: number): LeftOnce => ({
  audit_id: `audit of ${what}`,
  what,
  media_type: what === 'screenshot' ? 'image/png' : 'text/csv',
  page: 'https://shop.example/',
  bytes,
  sha256: 'ab'.repeat(32),
  salt: 'cd'.repeat(32),
});

export type Asked = { readonly token?: string; readonly body?: unknown };

/** A vault before an enclave of which the test says what it answers; it opens sessions and does whatever is asked. */
export async function openSandbox() {
  const enclave = await scriptedEnclave();
  enclave.script['session.open'] = () => ({ reply: { session: state(), auditId: 'a-1' } });
  enclave.script['session.operate'] = ({ operationId }) => ({ reply: done(operationId) });
  enclave.script['session.state'] = () => ({ reply: { session: state() } });
  const vault = await openVault(enclave, ['https://console.example']);
  const login = async (name = 'alice') => (await vault.login(name)).data.access_token as string;
  const owner = await login();

  const ask = (method: string, path: string, { token = owner, body }: Asked = {}) =>
    vault.ask(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) });

  return {
    vault,
    enclave,
    owner,
    login,
    ask,
    async newToken(scopes: readonly Scope[], more: object = {}, token = owner): Promise<string> {
      const body = { name: 'agent', scopes, expires_in: 3600, ...more };
      const made = await ask('POST', '/tokens', { token, body });
      expect(made).toMatchObject({ status: 201 });
      return made.data.token;
    },
    async newCredential(more: object = {}, token = owner): Promise<string> {
      const body = {
        service_id: 'shop',
        credential_type: 'username_password',
        plaintext_data: { username: 'u', password: 'p' },
        ...more,
      };
      const made = await ask('POST', '/credentials', { token, body });
      expect(made).toMatchObject({ status: 201 });
      return made.data.id;
    },
    /** A session: what create answered. */
    async newSession(more: object = {}, token = owner): Promise<Json> {
      const body = { credential_ids: [], task: 'Log in', allowed_urls: ['https://shop.example'], ...more };
      const made = await ask('POST', '/sandbox/sessions', { token, body });
      expect(made).toMatchObject({ status: 201 });
      return made.data;
    },
    async stop() {
      await vault.stop();
    },
  };
}

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** How a refusal looks. */
export const refused = (status: number, code: string, message: unknown = expect.any(String)) => ({
  status,
  data: { error: { code, message } },
});
