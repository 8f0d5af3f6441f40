import { Client, type Progress, type Transport } from '@modelcontextprotocol/client';
import { type Cancellation, toAbortSignal } from '@countersign/service/cancellation';
import { version } from '@countersign/service/version';
import { z } from 'zod';
import { hearInMeasure } from './in-measure.ts';

/** The two transports of MCP. */
type McpTransport = 'streamable-http' | 'sse';

/** Additions to the SDK's transport interface. */
export type ServiceTransport = Transport & {
  /** Listens to the service's news until the transport is closed. */
  readonly listen?: () => Promise<void>;
  /** Asks past the SDK's client, and gives the result unread. */
  readonly request?: (method: string, params: object, signal: Cancellation) => Promise<unknown>;
};

type ToolCallParams = {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>>;
};

type CallOptions = {
  readonly signal: Cancellation;
  /** Null: the service is not asked for progress. */
  readonly onProgress: ((progress: Progress) => void) | null;
};

/**
 * One open MCP connection. Once retired it takes no new work, and it closes after its last in-flight call.
 */
export class Connection {
  readonly transport: McpTransport;
  /** The service's name for itself; untrusted text. */
  readonly name: string | null;
  /** The service's instructions for use; untrusted text. */
  readonly instructions: string | null;
  readonly #client: Client;
  readonly #transport: ServiceTransport;
  #working = 0;
  #retired = false;

  private constructor(client: Client, name: McpTransport, transport: ServiceTransport) {
    this.#client = client;
    this.#transport = transport;
    this.transport = name;
    this.name = client.getServerVersion()?.name ?? null;
    this.instructions = client.getInstructions() ?? null;
  }

  /** Connects and initializes within `timeoutMs`, or throws and leaves nothing open. */
  static async open(name: McpTransport, transport: ServiceTransport, timeoutMs: number): Promise<Connection> {
    const client = new Client({ name: 'countersign-gateway', version }, { capabilities: {} });
    hearInMeasure(transport, Date.now);
    let late: NodeJS.Timeout | undefined;
    // The SDK's own timer begins only once the transport is open, and an SSE stream may never tell its endpoint.
    const tooLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new ConnectTimeout()), timeoutMs);
    });
    try {
      await Promise.race([client.connect(transport, { timeout: timeoutMs + 1000 }), tooLate]);
      return new Connection(client, name, transport);
    } catch (error) {
      await transport.close().catch(() => {});
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work(this.#client);
    } finally {
      this.#working -= 1;
      if (this.#retired && this.#working === 0) await this.close();
    }
  }

  /** Sends one `tools/call` and gives its result, unread. Throws when no answer came, or an error. */
  callTool(params: ToolCallParams, { signal, onProgress }: CallOptions): Promise<unknown> {
    return this.use((client) => {
      if (onProgress === null && this.#transport.request !== undefined)
        return this.#transport.request('tools/call', params, signal);
      return client.request({ method: 'tools/call', params }, z.unknown(), {
        signal: toAbortSignal(signal),
        // The signal is the deadline; the SDK's own timer would end a long settlement at 60 s.
        timeout: maxTimeoutMs,
        ...(onProgress !== null && { onprogress: onProgress }),
      });
    });
  }

  /** Told whenever the service says that its tools are others now. */
  onToolsChanged(listener: () => void): void {
    this.#client.setNotificationHandler('notifications/tools/list_changed', listener);
    // Asked only of services that promise news: to others the stream would be one connection for nothing.
    if (this.#client.getServerCapabilities()?.tools?.listChanged === true) void this.#transport.listen?.();
  }

  /** Told once, when the connection is gone. */
  onClose(listener: () => void): void {
    this.#client.onclose = listener;
  }

  async retire(): Promise<void> {
    this.#retired = true;
    if (this.#working === 0) await this.close();
  }

  /** Ends also what is in flight. */
  async close(): Promise<void> {
    await this.#client.close().catch(() => {});
  }
}

/** Longer than any time-out that can be configured. */
const maxTimeoutMs = 3_700_000;

export class ConnectTimeout extends Error {
  constructor() {
    super('no connection in time');
    this.name = 'ConnectTimeout';
  }
}
