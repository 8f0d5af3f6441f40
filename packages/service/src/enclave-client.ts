import { createConnection, type Socket } from 'node:net';
import {
  type CommandReply,
  type CommandRequest,
  type EnclaveCommand,
  type EnclaveRefusal,
  enclaveAnswer,
  enclaveCommands,
} from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { corkForThisTurn, encodeFrame, type Frame, FrameReader, intoFrames } from './frames.ts';
import type { Logger } from './logger.ts';

/** The answer to a call. `body` belongs to the caller, who wipes it if it held a secret. */
export type EnclaveAnswer<C extends EnclaveCommand> = {
  readonly reply: CommandReply<C>;
  readonly body: Buffer;
};

export type EnclaveClient = {
  /**
   * Asks the enclave, many calls at a time. Rejects with `EnclaveGone` when it cannot be reached, or is lost before
   * it answers: then nobody knows whether it did what it was asked.
   */
  readonly call: <C extends EnclaveCommand>(
    command: C,
    request: CommandRequest<C>,
    body?: Uint8Array,
  ) => Promise<Result<EnclaveAnswer<C>, EnclaveRefusal>>;
  readonly connected: () => boolean;
  /** Resolves as soon as there is a connection. */
  readonly whenConnected: () => Promise<void>;
  readonly close: () => void;
};

export class EnclaveGone extends Error {
  override readonly name = 'EnclaveGone';
}

const firstRetryMs = 20;
const maxRetryMs = 1000;

/** Connects to the enclave's socket, and again by itself whenever the connection is lost. */
export function connectEnclave(path: string, log: Logger): EnclaveClient {
  return new Client(path, log);
}

type Waiting = {
  readonly command: EnclaveCommand;
  readonly resolve: (answer: Result<{ reply: never; body: Buffer }, EnclaveRefusal>) => void;
  readonly reject: (why: EnclaveGone) => void;
};

class Client implements EnclaveClient {
  readonly #path: string;
  readonly #log: Logger;
  readonly #waiting = new Map<number, Waiting>();
  readonly #hoping: (() => void)[] = [];
  #socket: Socket | null = null;
  #connecting: Socket | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = firstRetryMs;
  #lastId = 0;
  #isClosed = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.#connect();
  }

  readonly connected = (): boolean => this.#socket !== null;

  readonly whenConnected = (): Promise<void> =>
    this.connected() ? Promise.resolve() : new Promise((resolve) => this.#hoping.push(resolve));

  readonly call: EnclaveClient['call'] = (command, request, body) => {
    const socket = this.#socket;
    if (socket === null) return Promise.reject(new EnclaveGone('the enclave cannot be reached'));
    const schema = enclaveCommands[command].request;
    if (!schema.safeParse(request).success) return Promise.resolve(fail({ code: 'INVALID_COMMAND' }));
    this.#lastId += 1;
    const id = this.#lastId;
    const frame = encodeFrame({ id, command, request }, body);
    if (frame === null) return Promise.resolve(fail({ code: 'INVALID_COMMAND' }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { command, resolve, reject });
      corkForThisTurn(socket);
      socket.write(frame, () => frame.fill(0));
    });
  };

  readonly close = (): void => {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#connecting?.destroy();
    this.#socket?.destroy();
  };

  #connect(): void {
    const reader = new FrameReader();
    const onread = intoFrames(reader, (frames) => {
      for (const frame of frames ?? []) this.#settle(frame);
      if (frames === null) socket.destroy();
    });
    const socket = createConnection({ path: this.#path, onread });
    this.#connecting = socket;
    socket.on('error', (error) => this.#log.debug({ err: error }, 'the connection to the enclave failed'));
    socket.on('connect', () => this.#begin(socket));
    socket.on('close', () => {
      reader.end();
      this.#lose();
    });
  }

  #begin(socket: Socket): void {
    this.#log.info('connected to the enclave');
    this.#connecting = null;
    this.#socket = socket;
    this.#retryMs = firstRetryMs;
    for (const resolve of this.#hoping.splice(0)) resolve();
  }

  #lose(): void {
    if (this.#socket !== null && !this.#isClosed) this.#log.warn('the connection to the enclave is lost');
    this.#socket = null;
    const gone = new EnclaveGone('the connection to the enclave was lost');
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(gone);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, maxRetryMs);
  }

  /** An answer that nobody waits for, or that is not what its command gives, ends the connection: it is not our enclave. */
  #settle({ header, body }: Frame): void {
    const answer = enclaveAnswer.safeParse(header);
    const waiting = answer.success ? this.#waiting.get(answer.data.id) : undefined;
    if (!answer.success || waiting === undefined) return void this.#socket?.destroy();
    if ('refusal' in answer.data) {
      this.#waiting.delete(answer.data.id);
      return waiting.resolve(fail(answer.data.refusal));
    }
    const reply = enclaveCommands[waiting.command].reply.safeParse(answer.data.reply);
    if (!reply.success) {
      const { command } = waiting;
      this.#log.error({ command }, 'the enclave is of another release: upgrade it and its services together');
      return void this.#socket?.destroy();
    }
    this.#waiting.delete(answer.data.id);
    waiting.resolve(ok({ reply: reply.data as never, body }));
  }
}
