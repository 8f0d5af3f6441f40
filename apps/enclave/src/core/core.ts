import type { Socket } from 'node:net';
import { join } from 'node:path';
import { publicKeyText, type Signer } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { type AuditLogOptions, openAuditLog } from '@countersign/audit-log/store/open';
import type { Isolation } from '@countersign/protocol/enclave/commands';
import type { SecondJudge } from '@countersign/review/second-judge';
import type { Logger } from '@countersign/service/logger';
import { unsealers } from './credential/hpke.ts';
import { seedSigner } from './keys/seed-signer.ts';
import { EnclaveKeys } from './keys/enclave-keys.ts';
import { withSecret } from './keys/hkdf.ts';
import { openBrowser } from './browser/open.ts';
import type { BrowserHost } from '../channel/browser-host.ts';
import type { SecretMemory } from './keys/secret-memory.ts';
import type { TeeProvider } from './tee/provider.ts';
import type { RunConnector } from './connector-runs/connector.ts';
import { browseBy } from './executions/browse.ts';
import { controlHandlers } from './executions/commands.ts';
import { connectBy } from './executions/connect.ts';
import { executionHandlers } from './executions/execution-commands.ts';
import { actionSeed } from './executions/action-token.ts';
import { TokensUnderWay } from './executions/tokens-under-way.ts';
import { measurementOf } from './tee/measurement.ts';
import { attestationHandlers } from './attestation.ts';
import { auditHandlers } from './audit.ts';
import { rotateAuditKey } from './audit-key.ts';
import { credentialHandlers } from './credentials.ts';
import { systemClock } from './session/clock.ts';
import { sessionCommands } from './session/commands.ts';
import type { StartThread } from './session/worker/session-worker.ts';
import { requestHandlers, type WayOut } from './requests/commands.ts';
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
  /** Connectors of executions, but for browsers. */
  readonly runConnector: RunConnector;
  /** Sends requests that carry a credential. */
  readonly out: WayOut;
  /** Starts the thread in which a session's tasks run. */
  readonly startThread: StartThread;
  /** Null where none is configured. */
  readonly secondJudge: SecondJudge | null;
  /** How many cores this launcher has started before. */
  readonly restarts?: number;
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

/** A core that was killed just now may still hold the log, until the kernel has put it away. */
const lockPatienceMs = 3000;

/** Opens keys and log. Throws, in one sentence, when either is not what this enclave left behind. */
export async function startCore(options: CoreOptions): Promise<Core> {
  const { dir, tee, origin, memory, now, log } = options;
  const keys = await EnclaveKeys.open(dir, tee, memory);
  const audit = await openLog(options, keys);
  const signer = signerOf(audit);
  const [unsealer, measurement] = await Promise.all([unsealers(keys), measurementOf(tee)]);
  const sessions = openSessions(options, keys, audit);
  const credentials = credentialHandlers({ keys, audit, unsealer, now });
  const underWay = new TokensUnderWay();
  const actionSigner = withSecret(actionSeed(keys), (seed) => seedSigner(seed, memory));
  const control = { audit, signer, keys, origin, measurement, now, actionSigner, underWay };
  const executions = executionHandlers({
    ...control,
    connect: connectBy({
      runConnector: options.runConnector,
      browse: browseBy({ sessions: sessions.handlers, now }),
      open: credentials.open,
      underWay,
    }),
    warn: warnBy(log),
  });
  const attestation = attestationHandlers({
    tee,
    auditPublicKey: () => publicKeyText(signer.publicKey),
    sealPublicKey: () => unsealer.publicKey.toString('base64'),
    origin,
    isolation: await options.isolate(),
    sandbox: options.browsers.about,
    restarts: options.restarts ?? 0,
    now,
  });
  const handlers: Handlers = {
    ...attestation,
    ...credentials,
    ...requestHandlers({ audit, open: credentials.open, out: options.out }),
    ...auditHandlers(audit, attestation.report),
    rotateAuditKey: rotateAuditKey({ audit, keys, memory, log }),
    ...sessions.handlers,
    ...controlHandlers({ ...control, report: attestation.report }),
    ...executions.handlers,
  };
  return {
    take: (socket) => serve(socket, handlers, log),
    stop: async () => {
      await executions.stop();
      await sessions.stop();
      await audit.close();
      keys.wipe();
    },
  };
}

async function openLog(options: CoreOptions, keys: EnclaveKeys): Promise<AuditLog> {
  const { dir, origin, tee, memory, now, anchored } = options;
  const before = keys.auditSeedBefore;
  const opened = await openAuditLog({
    dir: join(dir, 'audit'),
    origin,
    tee: { kind: tee.kind, trust: tee.hardware ? 'hardware' : 'simulated' },
    signer: seedSigner(keys.auditSeed, memory),
    ...(before && { previousSigner: seedSigner(before, memory) }),
    now,
    lockPatienceMs,
    ...(anchored && { anchored }),
  });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.reason}`);
  await keys.endAuditSeed();
  return opened.value;
}

/** Whoever signs the log at the time. */
const signerOf = (audit: AuditLog): Signer => ({
  get publicKey() {
    return audit.signer.publicKey;
  },
  sign: (bytes) => audit.signer.sign(bytes),
});

const openSessions = (
  { browsers, secondJudge, startThread, log }: CoreOptions,
  keys: EnclaveKeys,
  audit: AuditLog,
): ReturnType<typeof sessionCommands> =>
  sessionCommands({
    host: browsers,
    openBrowser,
    startThread,
    secondJudge,
    clock: systemClock,
    audit,
    roots: keys,
    fingerprintKey: keys.fingerprintKey,
    warn: warnBy(log),
  });

const warnBy = (log: Logger) => (what: string, why: unknown) => log.warn({ why: nameOf(why) }, what);

/** Returns the error's name alone: the browser's message may contain text of a page. */
const nameOf = (why: unknown): string => (why instanceof Error ? why.name : String(why));
