import { Client, type Transport } from '@modelcontextprotocol/client';
import { version } from '@countersign/service/version';

export type TransportName = 'streamable-http' | 'sse';

/** One open MCP connection. A retired one takes no new work, and closes after the last of what it has. */
export class Connection {
  readonly transport: TransportName;
  /** What the service calls itself; its own words. */
  readonly name: string | null;
  readonly #client: Client;
  readonly #listen: () => void;
  #working = 0;
  #retired = false;

  private constructor(client: Client, transport: TransportName, listen: () => void) {
    this.#client = client;
    this.#listen = listen;
    this.transport = transport;
    this.name = client.getServerVersion()?.name ?? null;
  }

  /** Connects and initializes within `timeoutMs`, or throws and leaves nothing open. */
  static async open(
    name: TransportName,
    transport: Transport & { readonly listen?: () => Promise<void> },
    timeoutMs: number,
  ): Promise<Connection> {
    const client = new Client({ name: 'countersign-gateway', version }, { capabilities: {} });
    let late: NodeJS.Timeout | undefined;
    // The SDK's own timer begins only once the transport is open, and an SSE stream may never tell its endpoint.
    const tooLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new ConnectTimeout()), timeoutMs);
    });
    try {
      await Promise.race([client.connect(transport, { timeout: timeoutMs + 1000 }), tooLate]);
      return new Connection(client, name, () => void transport.listen?.());
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

  /** Told whenever the service says that its tools are others now. */
  onToolsChanged(listener: () => void): void {
    this.#client.setNotificationHandler('notifications/tools/list_changed', listener);
    // Asked only of services that promise news: to others the stream would be one connection for nothing.
    if (this.#client.getServerCapabilities()?.tools?.listChanged === true) this.#listen();
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

export class ConnectTimeout extends Error {
  constructor() {
    super('no connection in time');
    this.name = 'ConnectTimeout';
  }
}
