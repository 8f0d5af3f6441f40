import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { openAuditLog } from '@countersign/audit-log/store/open';
import {
  type CommandReply,
  type CommandRequest,
  type EnclaveRefusal,
  enclaveCommands,
} from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import type { Place } from '@countersign/protocol/vault/credential-use';
import type { Operation } from '@countersign/protocol/vault/operation';
import { MadeAgain } from '@countersign/review/made-again';
import { rulesDigest } from '@countersign/review/rules-digest';
import type { SecondJudge } from '@countersign/review/second-judge';
import { seal } from '../src/core/credential/envelope.ts';
import { seedSigner } from '../src/core/keys/seed-signer.ts';
import { EnclaveKeys } from '../src/core/keys/enclave-keys.ts';
import { openMemory } from '../src/core/keys/secret-memory.ts';
import { type SessionCommands, sessionCommands } from '../src/core/session/commands.ts';
import { workHere } from '../src/core/session/worker/here.ts';
import { simulatedTee } from '../src/core/tee/simulated.ts';
import { FakeBrowser, FakeHost } from './fake-browser.ts';
import { FakeClock } from './fake-clock.ts';

type Command = keyof SessionCommands;
type Given<C extends Command> = Omit<CommandRequest<C>, 'tenantId' | 'sessionId' | 'actor'>;

/** Sessions over browsers without pages; records, keys and time as in the enclave. */
export class Sandbox {
  readonly clock = new FakeClock();
  readonly host = new FakeHost();
  /** In the order in which they were opened. */
  readonly browsers: FakeBrowser[] = [];
  /** A browser that is started does not answer: `once`, the next one does. */
  isSilent: boolean | 'once' = false;
  /** Told of each browser before it is used. */
  onBrowser: (browser: FakeBrowser) => void = () => {};
  /** The disk is full. */
  isDiskFull = false;
  /** There is no room for some records. */
  isFull: (draft: Parameters<AuditLog['append']>[0]) => boolean = () => false;
  readonly #dir: string;
  readonly #keys: EnclaveKeys;
  readonly #audit: AuditLog;
  readonly #sessions: ReturnType<typeof sessionCommands>;
  /** By it every verdict that any test comes to is made again from its record. */
  readonly #madeAgain = new MadeAgain(rulesDigest);
  readonly #unlike: string[] = [];

  private constructor(dir: string, keys: EnclaveKeys, audit: AuditLog, secondJudge: SecondJudge | null) {
    [this.#dir, this.#keys, this.#audit] = [dir, keys, audit];
    this.#sessions = sessionCommands({
      audit: {
        append: async (draft) => {
          if (this.isDiskFull || this.isFull(draft))
            return fail({ code: 'AUDIT_UNAVAILABLE', reason: 'full' });
          this.#makeAgain(draft);
          return audit.append(draft);
        },
      },
      host: this.host,
      openBrowser: async ({ onAlarm }) => {
        if (this.isSilent !== false) {
          this.isSilent = this.isSilent === true;
          throw new Error('no answer');
        }
        const browser = new FakeBrowser(onAlarm);
        this.browsers.push(browser);
        this.onBrowser(browser);
        return browser;
      },
      startThread: workHere,
      secondJudge,
      clock: this.clock,
      roots: keys,
      fingerprintKey: keys.fingerprintKey,
      warn: () => {},
    });
  }

  static async start(secondJudge: SecondJudge | null = null): Promise<Sandbox> {
    const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const tee = simulatedTee({ dir, program: fileURLToPath(import.meta.url) });
    const keys = await EnclaveKeys.open(dir, tee, openMemory);
    const audit = await openAuditLog({
      dir: join(dir, 'audit'),
      origin: 'vault.example/audit',
      tee: { kind: 'simulated', trust: 'simulated' },
      signer: seedSigner(Buffer.from(keys.auditSeed), openMemory),
      now: Date.now,
    });
    if (!audit.ok) throw new Error(audit.error.code);
    return new Sandbox(dir, keys, audit.value, secondJudge);
  }

  get handlers(): SessionCommands {
    return this.#sessions.handlers;
  }

  async stop(): Promise<void> {
    await this.#sessions.stop();
    await this.#audit.close();
    rmSync(this.#dir, { recursive: true });
    if (this.#unlike.length > 0) throw new Error(`not what the rules say: ${this.#unlike.join('\n')}`);
  }

  /** As the vault would: both sides of the command are read by its schemas. */
  async ask<C extends Command>(
    command: C,
    request: CommandRequest<C>,
  ): Promise<Result<{ reply: CommandReply<C>; body: Buffer }, EnclaveRefusal>> {
    const schemas = enclaveCommands[command];
    const handle = this.#sessions.handlers[command] as (
      request: unknown,
    ) => Promise<Result<{ reply: unknown; body?: Buffer }, EnclaveRefusal>>;
    const outcome = await handle(schemas.request.parse(JSON.parse(JSON.stringify(request))));
    if (!outcome.ok) return outcome;
    const reply = schemas.reply.parse(outcome.value.reply) as CommandReply<C>;
    return ok({ reply, body: outcome.value.body ?? Buffer.alloc(0) });
  }

  #makeAgain({ eventType, detail }: Parameters<AuditLog['append']>[0]): void {
    const read = JSON.parse(JSON.stringify(detail)) as Record<string, unknown>;
    const again = this.#madeAgain.again({ eventType, detail: read });
    const isSame = again === null || again.outcome === 'same';
    const hasNoFacts =
      again?.outcome === 'not-judged' && (again.why === 'no-facts' || again.why === 'facts-too-large');
    if (!isSame && !hasNoFacts) this.#unlike.push(JSON.stringify({ again, eventType, read }));
  }

  async open(about: Partial<CommandRequest<'session.open'>> = {}): Promise<OneSession> {
    const request = this.opening(about);
    const opened = await this.ask('session.open', request);
    if (!opened.ok) throw new Error(opened.error.code);
    const browser = this.browsers.at(-1);
    if (browser === undefined) throw new Error('no browser was opened');
    return new OneSession(this, request.tenantId, request.sessionId, browser);
  }

  opening(about: Partial<CommandRequest<'session.open'>> = {}): CommandRequest<'session.open'> {
    return {
      tenantId: 'acme',
      sessionId: randomUUID(),
      actor: 'token:agent',
      task: 'Read the orders of this month',
      allowedUrls: ['https://shop.example'],
      approval: 'auto',
      credentials: [],
      maskWith: [],
      expiresAt: this.clock.now() + 900_000,
      ...about,
    };
  }

  /** A credential as the vault stores it, and as a session names it. */
  credential(
    type: CredentialType,
    plaintext: unknown,
    tenantId = 'acme',
    credentialId: string = randomUUID(),
  ) {
    const binding = { tenantId, credentialId, serviceId: 'shop', type, version: 1 };
    const envelope = seal(this.#keys, binding, Buffer.from(JSON.stringify(plaintext)));
    const allowedUrls = ['https://shop.example'];
    const named = { credentialId, type, allowedUrls, fillMode: 'network' as const };
    const uses: Place[] = [];
    return { stored: { binding, envelope, allowedUrls, uses }, named };
  }

  records(sessionId: string): readonly AuditRecord[] {
    const found = this.#audit.query({ tenantId: 'acme', sessionId }, { limit: 1000, offset: 0 });
    return found.items.toReversed();
  }
}

/** One session of a sandbox, and its browser. */
export class OneSession {
  readonly sandbox: Sandbox;
  readonly tenantId: string;
  readonly id: string;
  readonly browser: FakeBrowser;

  constructor(sandbox: Sandbox, tenantId: string, id: string, browser: FakeBrowser) {
    [this.sandbox, this.tenantId, this.id, this.browser] = [sandbox, tenantId, id, browser];
  }

  ask<C extends Exclude<Command, 'session.events' | 'session.frame'>>(
    command: C,
    given: Given<C>,
    actor = 'token:agent',
  ) {
    const who = command === 'session.state' ? {} : { actor };
    const request = { tenantId: this.tenantId, sessionId: this.id, ...who, ...given };
    return this.sandbox.ask(command, request as unknown as CommandRequest<C>);
  }

  /** A picture of the live view for those who watch. */
  frame(...actors: readonly string[]) {
    const watchers = actors.map((actor) => ({ actor }));
    return this.sandbox.ask('session.frame', { tenantId: this.tenantId, sessionId: this.id, watchers });
  }

  /** The result of an operation; throws when the command is refused. */
  async operate(
    operation: Operation,
    credential?: CommandRequest<'session.operate'>['credential'],
    operationId: string = randomUUID(),
  ) {
    const given = { operationId, operation, ...(credential !== undefined && { credential }) };
    const answer = await this.ask('session.operate', given);
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.reply.operation;
  }

  async state() {
    const answer = await this.ask('session.state', {});
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.reply.session;
  }

  /** What the log tells of it, in order: event, and of operations the phase. */
  told(): string[] {
    return this.sandbox
      .records(this.id)
      .map(({ eventType, detail }) => [eventType, detail['phase']].filter(Boolean).join(' '));
  }
}

export const passwordField = {
  frameUrl: 'https://shop.example/login',
  tag: 'input',
  type: 'password',
  field: 'password',
  autocomplete: 'current-password',
  names: ['Password'],
  visible: true,
  covered: false,
  link: null,
  form: {
    action: 'https://shop.example/session',
    method: 'POST',
    fields: [
      { tag: 'input', type: 'text', autocomplete: 'username', names: ['User name'], visible: true },
      {
        tag: 'input',
        type: 'password',
        autocomplete: 'current-password',
        names: ['Password'],
        visible: true,
      },
    ],
  },
} as const;

export const login = { username: 'ada.lovelace', password: 'correct horse battery' };

export const fillPassword = {
  operation_type: 'fill',
  selector: '#password',
  value: '{{CREDENTIAL.password}}',
} as const;
