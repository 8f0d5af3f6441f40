import { createECDH, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TeeProvider } from '../tee/provider.ts';
import { hkdf } from './hkdf.ts';
import { type NamedSecrets, readKeyFile, writeKeyFile } from './key-file.ts';
import type { SecretMemory } from './secret-memory.ts';

const rootName = /^root\/([1-9]\d{0,8})$/;

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

  /** Under which the vault makes its tokens; not touched by a change of roots, nor are the ones below. */
  get tokenKey(): Buffer {
    return this.#named('token');
  }

  /** Seed of the audit log's Ed25519 key. */
  get auditSeed(): Buffer {
    return this.#named('audit');
  }

  /** P-256 scalar to which clients seal credentials. */
  get sealScalar(): Buffer {
    return this.#named('seal');
  }

  get fingerprintKey(): Buffer {
    return this.#named('fingerprint');
  }

  /** Null for a root that never was or was retired. */
  root(number: number): Buffer | null {
    return this.#secrets.get(`root/${number}`) ?? null;
  }

  get newestRoot(): number {
    return Math.max(...this.#rootNumbers());
  }

  /** Gives its number. */
  addRoot(): Promise<number> {
    return this.#change(async () => {
      const number = this.newestRoot + 1;
      await this.#keep(new Map([...this.#secrets, [`root/${number}`, this.#memory.hold(randomBytes(32))]]));
      return number;
    });
  }

  /** Forgets every root but the newest, whose number it gives. */
  retireRoots(): Promise<number> {
    return this.#change(async () => {
      const newest = this.newestRoot;
      const isOld = (name: string) => rootName.test(name) && name !== `root/${newest}`;
      const old = [...this.#secrets].filter(([name]) => isOld(name));
      await this.#keep(new Map([...this.#secrets].filter(([name]) => !isOld(name))));
      for (const [, secret] of old) secret.fill(0);
      return newest;
    });
  }

  /** Wipes all of them. */
  wipe(): void {
    for (const secret of this.#secrets.values()) secret.fill(0);
    this.#sealingKey.fill(0);
  }

  /** One change after another: two at once would give one number to two roots. */
  #change(make: () => Promise<number>): Promise<number> {
    const made = this.#changing.then(make);
    this.#changing = made.catch(() => null);
    return made;
  }

  async #keep(secrets: NamedSecrets): Promise<void> {
    await writeKeyFile(this.#file, this.#sealingKey, secrets);
    this.#secrets = secrets;
  }

  #rootNumbers(): number[] {
    return [...this.#secrets.keys()].flatMap((name) => Number(rootName.exec(name)?.[1] ?? []));
  }

  #named(name: string): Buffer {
    const secret = this.#secrets.get(name);
    if (secret === undefined) throw new Error(`${this.#file} has no key named ${name}`);
    return secret;
  }
}

function newSecrets(): NamedSecrets {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const scalar = Buffer.alloc(32);
  const made = ecdh.getPrivateKey();
  made.copy(scalar, 32 - made.length);
  made.fill(0);
  return new Map([
    ['root/1', randomBytes(32)],
    ['token', randomBytes(32)],
    ['fingerprint', randomBytes(32)],
    ['audit', randomBytes(32)],
    ['seal', scalar],
  ]);
}
