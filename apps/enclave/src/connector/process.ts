import { type Frame, encodeFrame, FrameReader } from '@countersign/service/frames';
import type { Furnishing, Task, ToConnector } from '../channel/connector.ts';
import { settleIn } from './settle-in.ts';
import { RemoteBroker } from './remote-broker.ts';
import type { End, Program } from './program.ts';

/** The program for each type of connector, loaded when the type is known. */
export type Programs = Readonly<Record<Task['type'], () => Promise<Program>>>;

/**
 * A connector: shuts itself in, says so, hears its task, does it by way of the broker, tells how it ended. Frames go
 * over its standard streams; the error stream is for the launcher.
 */
export async function runConnectorProcess(argument: string | undefined, programs: Programs): Promise<void> {
  // Libraries may say something: not among the frames.
  console.log = console.error;
  console.info = console.error;
  const furnishing = argument === undefined ? null : (JSON.parse(argument) as Furnishing);
  const ready = await settleIn(furnishing);
  process.stderr.write(`${JSON.stringify({ ready })}\n`);
  const broker = new RemoteBroker(write);
  const task = await new Promise<Task>((resolve) => {
    hearFrames((frame) => {
      const message = frame.header as ToConnector;
      if ('task' in message) resolve(message.task);
      else broker.hear(message, frame.body);
    });
  });
  const end = await endOf(task, broker, programs);
  const { data, ...header } = 'data' in end ? end : { ...end, data: undefined };
  const body = data === undefined ? undefined : Buffer.from(JSON.stringify(data) ?? 'null');
  write(encodeFrame(header, body) ?? encodeFrame({ end: 'out_of_memory' }));
}

async function endOf(task: Task, broker: RemoteBroker, programs: Programs): Promise<End | OutOfMemory> {
  try {
    const program = await programs[task.type]();
    return await program(task, broker);
  } catch (error) {
    if (error instanceof RangeError && /allocation|invalid array buffer length/i.test(error.message))
      return { end: 'out_of_memory' };
    throw error;
  }
}

type OutOfMemory = { readonly end: 'out_of_memory' };

/** The other end is gone: so are we. */
function hearFrames(take: (frame: Frame) => void): void {
  const reader = new FrameReader();
  process.stdin.on('data', (piece: Buffer) => {
    const frames = reader.read(piece);
    if (frames === null) process.exit(1);
    for (const frame of frames) take(frame);
  });
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
}

const write = (frame: Buffer | null): void => {
  if (frame === null) throw new Error('this is too large for a frame');
  process.stdout.write(frame);
};
