/** The little of `ws` that we use. */
declare module 'ws' {
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket {
    readonly bufferedAmount: number;
    readonly OPEN: 1;
    readonly readyState: number;
    send(text: string): void;
    ping(): void;
    close(code: number, reason: string): void;
    terminate(): void;
    on(event: 'pong' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export class WebSocketServer {
    readonly clients: ReadonlySet<WebSocket>;
    constructor(options: {
      readonly noServer: true;
      readonly maxPayload: number;
      readonly perMessageDeflate: false;
      readonly handleProtocols: (offered: ReadonlySet<string>) => string | false;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (socket: WebSocket) => void,
    ): void;
  }
}
