import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { encodeFrame, type Frame, FrameReader } from '@countersign/service/frames';
import { exceeded } from '@countersign/service/json-shape';
import type { Broker } from '../broker/broker.ts';
import { problemOf } from '../broker/problem.ts';
import type { Run } from './connector.ts';
import { type FromConnector, fromConnector, type ToConnector } from '../../channel/connector.ts';
import type { StartedConnector } from '../../channel/connector-host.ts';

type AnsweredEnd = 'completed' | 'target_error' | 'target_unclear';

/**
 * How a connector ended: with the service's response, with a problem, or by dying before it reported
 * anything.
 */
export type Said =
  | { readonly end: AnsweredEnd; readonly data: unknown }
  | { readonly problem: ExecutionProblem; readonly isStillborn?: boolean };

/** Most that one connector may ask for, and say in all: a connector that says more is none of ours. */
const limits = { asks: 64, bytes: 64 * 1024 ** 2 } as const;

/** Gives a connector its task and answers what it asks, until it ends, or the time is up, or nobody waits any more. */
export function converse(
  connector: StartedConnector,
  run: Run,
  broker: Broker,
  timeoutMs: number,
): Promise<Said> {
  return new Promise((resolve) => {
    const conversation = new Conversation(connector, broker, (said) => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', cancel);
      resolve(said);
    });
    const cancel = () => conversation.end({ problem: problemOf('cancelled') });
    const timer = setTimeout(() => conversation.end({ problem: problemOf('connector_timeout') }), timeoutMs);
    run.signal.addEventListener('abort', cancel);
    if (run.signal.aborted) cancel();
    const { type, definition, action, params } = run;
    conversation.begin({ task: { type, definition, action, params } });
  });
}

class Conversation {
  readonly #connector: StartedConnector;
  readonly #broker: Broker;
  readonly #finish: (said: Said) => void;
  readonly #reader = new FrameReader();
  #asks = 0;
  #bytes = 0;
  /** Serializes the messages: each is handled after the one before it. */
  #turn: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(connector: StartedConnector, broker: Broker, finish: (said: Said) => void) {
    [this.#connector, this.#broker, this.#finish] = [connector, broker, finish];
  }

  begin(task: ToConnector): void {
    const { fromConnector, toConnector, ended } = this.#connector;
    fromConnector.on('data', (piece: Buffer) => this.#read(piece));
    void ended.then((how) =>
      how === 'out_of_memory'
        ? this.end({ problem: problemOf('connector_oom') })
        : this.end({ problem: problemOf('connector_crashed'), isStillborn: this.#bytes === 0 }),
    );
    const frame = encodeFrame(task);
    if (frame === null) this.end({ problem: problemOf('invalid_params', 'params are too large.') });
    else toConnector.write(frame);
  }

  /** The first end counts. */
  end(said: Said): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.end();
    this.#finish(said);
  }

  #read(piece: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += piece.length;
    const frames = this.#bytes > limits.bytes ? null : this.#reader.read(piece);
    if (frames === null) return this.end({ problem: problemOf('connector_crashed') });
    for (const frame of frames) {
      const read = fromConnector.safeParse(frame.header);
      if (!read.success) return this.end({ problem: problemOf('connector_crashed') });
      this.#take(read.data, frame);
    }
  }

  #take(message: FromConnector, { body }: Frame): void {
    if ('end' in message) {
      this.#turn = this.#turn.then(() => this.end(endOf(message, body)));
      return;
    }
    this.#asks += 1;
    if (this.#asks > limits.asks) return this.end({ problem: problemOf('connector_crashed') });
    this.#turn = this.#turn
      .then(() => (this.#isOver ? undefined : this.#answer(message, body)))
      // What it asked for made the broker stumble: its run is over, and nobody else's.
      .catch(() => this.end({ problem: problemOf('connector_crashed') }));
  }

  async #answer(message: Extract<FromConnector, { readonly ask: number }>, body: Buffer): Promise<void> {
    if ('query' in message) {
      const rows = await this.#broker.query(message.query);
      if (!rows.ok) return this.end({ problem: rows.error });
      return this.#say({ rows: message.ask }, JSON.stringify(rows.value));
    }
    const answer = await this.#broker.http(message.http, body);
    if (!answer.ok) return this.end({ problem: answer.error });
    const { status, headers, text } = answer.value;
    return this.#say({ answer: message.ask, status, headers }, text);
  }

  #say(header: ToConnector, text: string): void {
    if (this.#isOver) return;
    const frame = encodeFrame(header, Buffer.from(text));
    if (frame === null) this.end({ problem: problemOf('answer_too_large') });
    else this.#connector.toConnector.write(frame);
  }
}

function endOf(message: Extract<FromConnector, { readonly end: string }>, body: Buffer): Said {
  switch (message.end) {
    case 'invalid_params':
      return { problem: problemOf('invalid_params', message.message) };
    case 'out_of_memory':
      return { problem: problemOf('connector_oom') };
    case 'completed':
    case 'target_error':
    case 'target_unclear':
      return readEnd(message.end, body);
  }
}

/** Limits on a response: masking, sealing and showing it recurse over its members. */
const answerLimits = { depth: 128, members: Number.POSITIVE_INFINITY };

function readEnd(end: AnsweredEnd, body: Buffer): Said {
  if (exceeded(body, answerLimits) !== null) return { problem: problemOf('answer_too_large') };
  try {
    return { end, data: JSON.parse(body.toString()) as unknown };
  } catch {
    return { problem: problemOf('connector_crashed') };
  }
}
