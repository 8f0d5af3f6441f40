import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CommandReply,
  type CommandRequest,
  type EnclaveCommand,
  type EnclaveRefusal,
  enclaveCommands,
  enclaveRequest,
} from '@countersign/protocol/enclave/commands';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { encodeFrame, FrameReader } from '@countersign/service/frames';

type Reply<C extends EnclaveCommand> =
  | { readonly reply: CommandReply<C>; readonly body?: Buffer }
  | { readonly refusal: EnclaveRefusal };
type Script = {
  [C in EnclaveCommand]?: (request: CommandRequest<C>) => Reply<C> | Promise<Reply<C>>;
};
type Answer = (command: EnclaveCommand, request: unknown) => Promise<Reply<never>>;

/**
 * The wire of an enclave, on a real socket: what it answers, the test says. For what the vault decides by itself, and
 * for what a real enclave does but rarely.
 */
export async function scriptedEnclave() {
  const events = eventJournal();
  const script: Script = {};
  const usual: Script = {
    tokenKey: () => ({ reply: {}, body: tokenKey }),
    describe: () => ({ reply: self }),
    'audit.checkpoint': () => ({ reply: { checkpoint: '', size: 0, root: '' } }),
    seal: () => ({ reply: { envelope: envelope(), fingerprint: 'f', certificateExpiresAt: null } }),
    'vault.record': () => ({ reply: { auditId: 'a-0' } }),
    'session.expect': () => ({ reply: {} }),
    'session.mask': () => ({ reply: {} }),
    'session.events': (request) => events.answer(request),
  };
  const asked: { readonly command: EnclaveCommand; readonly request: never }[] = [];
  const wire = await listenForFrames(async (command, request) => {
    asked.push({ command, request: enclaveCommands[command].request.parse(request) as never });
    const say = (script[command] ?? usual[command]) as ((request: unknown) => Reply<never>) | undefined;
    return say?.(request) ?? { refusal: { code: 'INTERNAL' } };
  });
  return {
    socket: wire.socket,
    script,
    tell: (sessionId: string, event: SessionEvent) => events.tell(sessionId, event),
    /** What was asked of it by this command. */
    asked: <C extends EnclaveCommand>(command: C): CommandRequest<C>[] =>
      asked.filter((each) => each.command === command).map(({ request }) => request),
    /** It dies. */
    die: wire.close,
    /** Another one takes its place, which knows nothing of what was. */
    restart() {
      events.forget();
      return wire.listen();
    },
    stop: () => wire.stop(),
  };
}

/** Events of sessions, held until somebody asks. */
function eventJournal() {
  const events: { sessionId: string; event: SessionEvent }[] = [];
  let wake = () => {};
  /** The cursor before the first event; never 0, which means "from now on". */
  let base = 1;
  return {
    async answer({ after, waitMs }: CommandRequest<'session.events'>): Promise<Reply<'session.events'>> {
      const cursor = () => base + events.length;
      const missed = after !== 0 && (after < base || after > cursor());
      if (after === 0 || missed) return { reply: { cursor: cursor(), missed, events: [] } };
      if (after === cursor())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      return { reply: { cursor: cursor(), missed: false, events: events.slice(after - base) } };
    },
    tell(sessionId: string, event: SessionEvent) {
      events.push({ sessionId, event });
      wake();
    },
    forget() {
      events.splice(0);
      base += 1_000_000;
    },
  };
}

/** A Unix socket that takes frames and sends what `answer` gives. */
async function listenForFrames(answer: Answer) {
  const dir = mkdtempSync(join(tmpdir(), 'scripted-'));
  const socket = join(dir, 'enclave.sock');
  const connections = new Set<Socket>();
  async function take(connection: Socket, header: unknown): Promise<void> {
    const { id, command, request } = enclaveRequest.parse(header);
    const { body, ...rest } = (await answer(command as EnclaveCommand, request)) as { body?: Buffer };
    const frame = encodeFrame({ id, ...rest }, body);
    if (frame !== null) connection.write(frame);
  }
  const server = createServer((connection) => {
    const reader = new FrameReader();
    connections.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => connections.delete(connection));
    connection.on('data', (chunk) => {
      for (const { header } of reader.read(chunk) ?? []) void take(connection, header);
    });
  });
  const listen = () => new Promise<void>((resolve) => server.listen(socket, resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const connection of connections) connection.destroy();
    });
  await listen();
  return {
    socket,
    listen,
    close,
    async stop() {
      if (server.listening) await close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const tokenKey = randomBytes(32);

const self: CommandReply<'describe'> = {
  tee: { kind: 'simulated', trust: 'simulated' },
  auditPublicKey: '',
  sealPublicKey: '',
  origin: 'scripted',
  isolation: {
    ownUser: true,
    noNetwork: true,
    noCoreDumps: true,
    noPtrace: true,
    namespaces: true,
    seccomp: true,
    secretMemory: true,
  },
  sandbox: null,
  restarts: 0,
};

/** An envelope of a credential that nobody will ever open. */
export const envelope = (root = 1) => ({
  root,
  salt: randomBytes(32).toString('base64'),
  nonce: randomBytes(12).toString('base64'),
  ciphertext: randomBytes(48).toString('base64'),
});
