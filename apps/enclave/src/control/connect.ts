import type { LendCredential, RunConnector } from '../connectors/connector.ts';
import type { Handlers } from '../core/serve.ts';
import type { RunRequest } from './execution.ts';
import type { Connect } from './executions.ts';

export type ConnectParts = {
  readonly runConnector: RunConnector;
  /** Browser connectors. */
  readonly browse: Connect;
  /** Opens a credential once the record of that is on disk. */
  readonly open: Handlers['open'];
};

/** Has an action done by the connector of its type. */
export const connectBy =
  ({ runConnector, browse, open }: ConnectParts): Connect =>
  (request, params, signal) => {
    const { executionId, action, token, allowPrivate, timeoutMs, connector } = request;
    const { type, definition } = connector;
    if (type === 'browser') return browse(request, params, signal);
    const lend = lendBy(open, request, signal);
    const about = { executionId, type, definition, action, params, token, allowPrivate, timeoutMs };
    return runConnector({ ...about, lend, signal });
  };

function lendBy(
  open: Handlers['open'],
  { credential, agent, executionId }: RunRequest,
  signal: AbortSignal,
): LendCredential | null {
  if (credential === undefined) return null;
  const asked = { ...credential, actor: agent, reason: `execution ${executionId}` };
  return async (use) => {
    const opened = await open(asked, Buffer.alloc(0), signal);
    const plaintext = opened.ok ? opened.value.body : undefined;
    if (plaintext === undefined) return false;
    try {
      await use(plaintext);
      return true;
    } finally {
      plaintext.fill(0);
    }
  };
}
