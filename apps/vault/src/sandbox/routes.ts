import { sandboxRoutes } from '@countersign/protocol/vault/sandbox-routes';
import type { VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';

type SandboxHandlers = Pick<VaultHandlers, keyof typeof sandboxRoutes>;

const refuse = async () => refusal('invalid_request', 'browser sessions are not available on this vault');

/** Browser sessions. */
export const sandboxHandlers = (): SandboxHandlers => ({
  createSession: refuse,
  listSessions: refuse,
  getSession: refuse,
  executeOperation: refuse,
  listOperations: refuse,
  takeScreenshot: refuse,
  exportData: refuse,
  pauseSession: refuse,
  resumeSession: refuse,
  closeSession: refuse,
  decideOperation: refuse,
});
