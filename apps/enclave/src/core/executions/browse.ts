import { randomUUID } from 'node:crypto';
import { browserDefinition, type Definition } from '@countersign/protocol/control/connector';
import type { SandboxFacts } from '@countersign/protocol/control/execution';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import type { RunEnd } from '../connector-runs/connector.ts';
import type { Handlers } from '../serve.ts';
import type { RunRequest } from './execution.ts';
import type { Params } from './params.ts';
import { operationsOf } from './browse-steps.ts';
import { type Action, type Done, failed, Visit, type VisitSessions } from './visit.ts';

export type BrowseParts = {
  readonly sessions: VisitSessions & Pick<Handlers, 'session.open' | 'session.close'>;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** Does an action in a browser session of its own, in which nobody is asked; it is closed whatever happens. */
export const browseBy =
  (parts: BrowseParts) =>
  async (request: RunRequest, params: Params, signal: AbortSignal): Promise<RunEnd> => {
    const begun = parts.now();
    const done = await browse(parts, request, params, signal);
    return { ...done, durationMs: parts.now() - begun };
  };

async function browse(
  parts: BrowseParts,
  request: RunRequest,
  params: Params,
  signal: AbortSignal,
): Promise<Done> {
  const definition = browserDefinition.safeParse(request.connector.definition);
  const action = definition.success ? actionOf(definition.data, request.action) : null;
  if (!definition.success || action === null)
    return failed('connector_changed', 'The connector has no such action.');
  const operations = operationsOf(action.steps, params);
  if (!operations.ok) return failed('invalid_params', operations.error);
  const { sessions, now } = parts;
  const session = { tenantId: request.tenantId, sessionId: randomUUID(), actor: request.agent };
  const opened = await sessions['session.open'](
    {
      ...session,
      task: action.task,
      allowedUrls: definition.data.allowed_urls,
      approval: 'never',
      credentials: credentialsOf(request, definition.data),
      maskWith: maskedBy(request, definition.data),
      startUrl: definition.data.start_url,
      expiresAt: now() + request.timeoutMs,
    },
    none,
    signal,
  );
  if (!opened.ok) return notOpened(opened.error);
  const close = () => sessions['session.close'](session, none, signal);
  const end = () => void close();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const sandbox = factsOf(session.sessionId, opened.value.reply.session.isolation);
    return await new Visit({
      sessions,
      session,
      credential: agreed(request, definition.data),
      signal,
      sandbox,
    }).run(operations.value, action);
  } finally {
    signal.removeEventListener('abort', end);
    await close();
  }
}

const none = Buffer.alloc(0);

const actionOf = ({ actions }: Definition<'browser'>, name: string): Action | null =>
  (Object.hasOwn(actions, name) && actions[name]) || null;

const credentialsOf = ({ credential }: RunRequest, { allowed_urls }: Definition<'browser'>) =>
  credential === undefined
    ? []
    : [
        {
          credentialId: credential.binding.credentialId,
          type: credential.binding.type,
          allowedUrls: allowed_urls,
          fillMode: 'network' as const,
        },
      ];

/** A page may show it before it is used. */
const maskedBy = ({ credential }: RunRequest, { allowed_urls: allowedUrls }: Definition<'browser'>) =>
  credential === undefined
    ? []
    : [{ binding: credential.binding, envelope: credential.envelope, allowedUrls }];

/**
 * Binds the credential to the approved addresses. The approval covers the exact steps, so that no field needs
 * another one.
 */
const agreed = ({ credential }: RunRequest, { allowed_urls: allowedUrls }: Definition<'browser'>) =>
  credential && { ...credential, allowedUrls, uses: 'agreed' as const };

const notOpened = ({ code }: EnclaveRefusal): Done =>
  code === 'INVALID_COMMAND'
    ? failed('egress_denied', 'start_url is not within allowed_urls, or these cannot be read.')
    : failed('sandbox_unavailable', 'No browser could be had, or its session could not be recorded.');

const factsOf = (sandbox_id: string, isolation: SandboxIsolation): SandboxFacts => ({
  sandbox_id,
  driver: 'browser',
  // Whatever leads out is the egress proxy with the session's allow-list.
  network: isolation.network_namespace ? 'none' : 'shared',
  memory_limit: isolation.memory_cap,
  seccomp: isolation.chromium_sandbox,
});
