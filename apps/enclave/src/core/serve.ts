import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import {
  type EnclaveCommand,
  type EnclaveRefusal,
  enclaveCommands,
  enclaveRequest,
} from '@countersign/protocol/enclave/commands';
import { fail, type Result } from '@countersign/protocol/result';
import {
  corkForThisTurn,
  encodeFrame,
  type Frame,
  FrameReader,
  intoFrames,
} from '@countersign/service/frames';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { z } from 'zod';
import { readingInto } from './read-into.ts';

type Schemas = typeof enclaveCommands;

/** The result of a command; `body` is wiped once it is sent. */
export type Outcome<C extends EnclaveCommand> = Result<
  { readonly reply: z.input<Schemas[C]['reply']>; readonly body?: Buffer },
  EnclaveRefusal
>;

/**
 * One handler for each command. The request's body is wiped when its handler is done. `gone`: nobody waits
 * for the answer any more.
 */
export type Handlers = {
  readonly [C in EnclaveCommand]: (
    request: z.output<Schemas[C]['request']>,
    body: Buffer,
    gone: AbortSignal,
  ) => Outcome<C> | Promise<Outcome<C>>;
};

type AnyOutcome = Result<{ readonly reply: unknown; readonly body?: Buffer }, EnclaveRefusal>;

type AnyHandler = (request: unknown, body: Buffer, gone: AbortSignal) => Promise<AnyOutcome>;

/** Most commands at work for one connection; what comes after them waits in the socket. */
const maxAtOnce = 256;

/** Answers the commands that come over a connection, until it ends. What is no command ends it. */
export function serve(socket: Socket, handlers: Handlers, log: Logger): void {
  new Connection(socket, handlers, log).begin();
}

class Connection {
  readonly #socket: Socket;
  readonly #handlers: Handlers;
  readonly #log: Logger;
  readonly #reader = new FrameReader();
  readonly #gone = new AbortController();
  #atWork = 0;

  constructor(socket: Socket, handlers: Handlers, log: Logger) {
    this.#handlers = handlers;
    this.#log = log;
    const onread = intoFrames(this.#reader, (frames) => {
      if (frames === null) this.#refuseAll('what came is no frame');
      for (const frame of frames ?? []) void this.#take(frame);
    });
    this.#socket = readingInto(socket, onread);
  }

  begin(): void {
    // Each run of a connector hears it.
    setMaxListeners(0, this.#gone.signal);
    this.#socket.on('error', (error) => this.#log.debug({ err: error }, 'a connection failed'));
    this.#socket.on('close', () => {
      this.#reader.end();
      this.#gone.abort();
    });
  }

  /** Never rejects. */
  async #take({ header, body }: Frame): Promise<void> {
    const read = enclaveRequest.safeParse(header);
    const command = read.success ? commandOf(read.data.command) : null;
    if (!read.success || command === null) return this.#refuseAll('an unknown command');
    this.#atWork += 1;
    if (this.#atWork >= maxAtOnce) this.#socket.pause();
    const outcome = await this.#answer(command, read.data.request, body);
    body.fill(0);
    this.#send(read.data.id, outcome);
    this.#atWork -= 1;
    if (this.#atWork < maxAtOnce) this.#socket.resume();
  }

  async #answer(command: EnclaveCommand, request: unknown, body: Buffer): Promise<AnyOutcome> {
    const schemas = enclaveCommands[command];
    const read = schemas.request.safeParse(request);
    const hasBody = body.length > 0;
    if (!read.success || hasBody !== (schemas.requestBody === 'bytes'))
      return fail({ code: 'INVALID_COMMAND' });
    try {
      const handle = this.#handlers[command] as AnyHandler;
      const outcome = await handle(read.data, body, this.#gone.signal);
      if (outcome.ok && !schemas.reply.safeParse(outcome.value.reply).success) {
        outcome.value.body?.fill(0);
        throw new Error('the reply is not what the command gives');
      }
      return outcome;
    } catch (error) {
      this.#log.error({ command, why: sayWhy(error) }, 'a command failed');
      return fail({ code: 'INTERNAL' });
    }
  }

  #send(id: number, outcome: AnyOutcome): void {
    const frame = outcome.ok
      ? encodeFrame({ id, reply: outcome.value.reply }, outcome.value.body)
      : encodeFrame({ id, refusal: outcome.error });
    if (outcome.ok) outcome.value.body?.fill(0);
    if (frame === null) return this.#send(id, fail({ code: 'INTERNAL' }));
    corkForThisTurn(this.#socket);
    this.#socket.write(frame, () => frame.fill(0));
  }

  /** Rejects everything on this connection: a peer that breaks the protocol is not the vault. */
  #refuseAll(why: string): void {
    this.#log.warn({ why }, 'a connection is ended');
    this.#socket.destroy();
  }
}

const commandOf = (name: string): EnclaveCommand | null =>
  Object.hasOwn(enclaveCommands, name) ? (name as EnclaveCommand) : null;
