import type { Socket } from 'node:net';
import { join } from 'node:path';
import { publicKeyText } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { type AuditLogOptions, openAuditLog } from '@countersign/audit-log/store/open';
import type { Isolation } from '@countersign/protocol/enclave/commands';
import type { Logger } from '@countersign/service/logger';
import { unsealer as openUnsealer } from '../credential/hpke.ts';
import { auditSigner } from '../keys/audit-signer.ts';
import { EnclaveKeys } from '../keys/enclave-keys.ts';
import { openBrowser } from '../browser/open.ts';
import type { BrowserHost } from '../jail/host.ts';
import type { SecretMemory } from '../keys/secret-memory.ts';
import type { SecondJudge } from '../review/second-judge.ts';
import type { TeeProvider } from '../tee/provider.ts';
import { attestationHandlers } from './attestation.ts';
import { auditHandlers } from './audit.ts';
import { controlHandlers } from './control.ts';
import { credentialHandlers } from './credentials.ts';
import { systemClock } from '../session/clock.ts';
import { sessionCommands } from '../session/commands.ts';
import { type Handlers, serve } from './serve.ts';

export type CoreOptions = {
  readonly dir: string;
  readonly tee: TeeProvider;
  /** Name of the audit log. */
  readonly origin: string;
  readonly memory: SecretMemory;
  /** Called when nothing is left to do that isolation would forbid; tells which there is. */
  readonly isolate: () => Promise<Isolation>;
  readonly browsers: BrowserHost;
  /** Null where none is configured. */
  readonly secondJudge: SecondJudge | null;
  readonly anchored?: NonNullable<AuditLogOptions['anchored']>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

export type Core = {
  /** Answers the commands of a connection. */
  readonly take: (socket: Socket) => void;
  /** Ends all sessions, lets records be written that were begun, and wipes the keys. */
  readonly stop: () => Promise<void>;
};

/** Opens keys and log. Throws, in one sentence, when either is not what this enclave left behind. */
export async function startCore(options: CoreOptions): Promise<Core> {
  const { dir, tee, origin, memory, now, log } = options;
  const keys = await EnclaveKeys.open(dir, tee, memory);
  const signer = auditSigner(keys.auditSeed, memory);
  const opened = await openAuditLog({
    dir: join(dir, 'audit'),
    origin,
    tee: { kind: tee.kind, trust: tee.hardware ? 'hardware' : 'simulated' },
    signer,
    now,
    ...(options.anchored === undefined ? {} : { anchored: options.anchored }),
  });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.reason}`);
  const audit = opened.value;
  const unsealer = await openUnsealer(keys.sealScalar);
  const sessions = openSessions(options, keys, audit);
  const handlers: Handlers = {
    ...attestationHandlers({
      tee,
      auditPublicKey: publicKeyText(signer.publicKey),
      sealPublicKey: unsealer.publicKey.toString('base64'),
      origin,
      isolation: await options.isolate(),
      sandbox: options.browsers.about,
      now,
    }),
    ...credentialHandlers({ keys, audit, unsealer, now }),
    ...auditHandlers(audit),
    ...sessions.handlers,
    ...controlHandlers({ audit, signer, keys }),
  };
  return {
    take: (socket) => serve(socket, handlers, log),
    stop: async () => {
      await sessions.stop();
      await audit.close();
      keys.wipe();
    },
  };
}

const openSessions = (
  { browsers, secondJudge, log }: CoreOptions,
  keys: EnclaveKeys,
  audit: AuditLog,
): ReturnType<typeof sessionCommands> =>
  sessionCommands({
    host: browsers,
    openBrowser,
    secondJudge,
    clock: systemClock,
    audit,
    roots: keys,
    fingerprintKey: keys.fingerprintKey,
    warn: (what, why) => log.warn({ why: nameOf(why) }, what),
  });

/** What a browser says may hold text of a page: its name is enough. */
const nameOf = (why: unknown): string => (why instanceof Error ? why.name : String(why));
