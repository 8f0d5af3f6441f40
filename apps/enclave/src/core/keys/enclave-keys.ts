import { createECDH, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TeeProvider } from '../tee/provider.ts';
import { hkdf } from './hkdf.ts';
import { type NamedSecrets, readKeyFile, writeKeyFile } from './key-file.ts';
import type { SecretMemory } from './secret-memory.ts';

/** Keys of which a new one comes after the other, and older ones count until they are retired. */
export type Line = 'root' | 'token' | 'seal';
const numbered = /^(root|token|seal)\/([1-9]\d{0,8})$/;

/** Every secret that the enclave keeps: made at the first start, and sealed by the TEE while it is on disk. */
export class EnclaveKeys {
  readonly #file: string;
  readonly #sealingKey: Buffer;
  readonly #memory: SecretMemory;
  #secrets: NamedSecrets;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(file: string, sealingKey: Buffer, memory: SecretMemory, secrets: NamedSecrets) {
    this.#file = file;
    this.#memory = memory;
    this.#sealingKey = memory.hold(sealingKey);
    this.#secrets = new Map([...secrets].map(([name, secret]) => [name, memory.hold(secret)]));
  }

  /** Throws, in one sentence, when the keys of this directory cannot be unsealed. */
  static async open(dir: string, tee: TeeProvider, memory: SecretMemory): Promise<EnclaveKeys> {
    const file = join(dir, 'keys.json');
    const sealingSecret = await tee.sealingSecret();
    const sealingKey = hkdf(sealingSecret, `countersign-enclave-sealing-v1/${tee.kind}`);
    sealingSecret.fill(0);
    const known = await readKeyFile(file, sealingKey);
    const secrets = known ?? newSecrets();
    if (known === null) await writeKeyFile(file, sealingKey, secrets);
    return new EnclaveKeys(file, sealingKey, memory, secrets);
  }

  /** From which the control plane's keys are derived: the first one of tokens, and never another. */
  get tokenKey(): Buffer {
    return this.#named('token');
  }

  /** Under which the vault makes its tokens, the newest first; not touched by a change of roots. */
  get tokenKeys(): readonly Buffer[] {
    return this.#line('token');
  }

  /** Seed of the audit log's Ed25519 key. */
  get auditSeed(): Buffer {
    return this.#named('audit');
  }

  /** The one before, until the log is known to have gone over to the new one; else null. */
  get auditSeedBefore(): Buffer | null {
    return this.#secrets.get('audit/before') ?? null;
  }

  /** Makes a new seed, unless a change is under way. */
  beginAuditSeed(): Promise<void> {
    return this.#change(async () => {
      if (this.auditSeedBefore !== null) return;
      const made = this.#memory.hold(randomBytes(32));
      await this.#keep(new Map([...this.#secrets, ['audit/before', this.auditSeed], ['audit', made]]));
    });
  }

  /** Forgets the seed before. */
  endAuditSeed(): Promise<void> {
    return this.#change(async () => {
      const before = this.auditSeedBefore;
      if (before === null) return;
      await this.#keep(new Map([...this.#secrets].filter(([name]) => name !== 'audit/before')));
      before.fill(0);
    });
  }

  /** P-256 scalars to which clients seal credentials, the newest first. */
  get sealScalars(): readonly Buffer[] {
    return this.#line('seal');
  }

  get fingerprintKey(): Buffer {
    return this.#named('fingerprint');
  }

  /** Null for a root that never was or was retired. */
  root(number: number): Buffer | null {
    return this.#secrets.get(`root/${number}`) ?? null;
  }

  get newestRoot(): number {
    return this.#numbers('root')[0] ?? 1;
  }

  /** Adds the next key of a line; gives its number. The ones before count on. */
  add(line: Line): Promise<number> {
    return this.#change(async () => {
      const secrets = new Map(this.#secrets);
      if (this.#numbers(line).length === 0) {
        secrets.set(`${line}/1`, this.#memory.hold(Buffer.from(this.#named(line))));
        // Control plane's keys are derived from the first key of tokens: they stay.
        if (line === 'seal') secrets.delete(line);
      }
      const number = Math.max(1, ...this.#numbers(line)) + 1;
      secrets.set(`${line}/${number}`, this.#memory.hold(line === 'seal' ? newScalar() : randomBytes(32)));
      await this.#keep(secrets);
      return number;
    });
  }

  /** Forgets every key of a line but the newest, whose number it gives. */
  retire(line: Line): Promise<number> {
    return this.#change(async () => {
      const [newest = 1, ...others] = this.#numbers(line);
      const old = new Map(others.map((number) => [`${line}/${number}`, this.#named(`${line}/${number}`)]));
      await this.#keep(new Map([...this.#secrets].filter(([name]) => !old.has(name))));
      for (const secret of old.values()) secret.fill(0);
      return newest;
    });
  }

  /** Wipes all of them. */
  wipe(): void {
    for (const secret of this.#secrets.values()) secret.fill(0);
    this.#sealingKey.fill(0);
  }

  /** Serializes changes: two at once would give two roots the same number. */
  #change<T>(make: () => Promise<T>): Promise<T> {
    const made = this.#changing.then(make);
    this.#changing = made.catch(() => null);
    return made;
  }

  async #keep(secrets: NamedSecrets): Promise<void> {
    await writeKeyFile(this.#file, this.#sealingKey, secrets);
    this.#secrets = secrets;
  }

  /**
   * Returns the numbers of the line's keys, newest first; empty while a line other than the roots has only
   * its first key.
   */
  #numbers(line: Line): number[] {
    const found = [...this.#secrets.keys()].flatMap((name) => {
      const [, kind, number] = numbered.exec(name) ?? [];
      return kind === line ? Number(number) : [];
    });
    return found.toSorted((a, b) => b - a);
  }

  /** The newest first. */
  #line(line: Line): readonly Buffer[] {
    const numbers = this.#numbers(line);
    return numbers.length === 0
      ? [this.#named(line)]
      : numbers.map((number) => this.#named(`${line}/${number}`));
  }

  #named(name: string): Buffer {
    const secret = this.#secrets.get(name);
    if (secret === undefined) throw new Error(`${this.#file} has no key named ${name}`);
    return secret;
  }
}

function newSecrets(): NamedSecrets {
  return new Map([
    ['root/1', randomBytes(32)],
    ['token', randomBytes(32)],
    ['fingerprint', randomBytes(32)],
    ['audit', randomBytes(32)],
    ['seal', newScalar()],
  ]);
}

function newScalar(): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const scalar = Buffer.alloc(32);
  const made = ecdh.getPrivateKey();
  made.copy(scalar, 32 - made.length);
  made.fill(0);
  return scalar;
}
