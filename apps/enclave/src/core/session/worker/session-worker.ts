import { isDeepStrictEqual } from 'node:util';
import type { Written } from '../../masking/literals.ts';
import { isChosen } from '../../masking/chosen.ts';
import type { SecretKind } from '../session-masker.ts';
import type { Join, Member, Told } from '../tenant-words.ts';
import type { Cookie } from '../withheld/cookie.ts';
import type { Answer, Done, Given, TaskName } from './tasks.ts';

/** Runs the tasks of one session. It keeps what it was told until it is stopped. */
export type Thread = {
  /** Rejects with a `WorkerFailed`. One at a time. */
  readonly run: <T extends TaskName>(task: T, given: Given<T>) => Promise<Answer<T>>;
  /** Stops the thread at once, whatever it is doing. */
  readonly stop: () => void;
};
export type StartThread = () => Thread;

/** Why a task has no answer: it took too long or too much memory, and its thread was ended; or what it was given is nothing to work with. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
  readonly why: 'late' | 'ended' | 'threw';
  /** The name of what a task threw. */
  readonly threw: string;
  constructor(why: WorkerFailed['why'], threw = '') {
    super(
      `a task of a session ${why === 'threw' ? `threw ${threw}` : why === 'late' ? 'took too long' : 'was ended'}`,
    );
    [this.why, this.threw] = [why, threw];
  }
}

/** No task of honest pages comes near it, in milliseconds. */
const limitMs = 5000;

type Memory = {
  readonly secret: Buffer;
  readonly kind: SecretKind;
  readonly where: readonly string[] | null;
};

/** Limits on the written text that is kept for a thread that replaces another; the newest is kept. */
const [maxWritten, maxCharacters] = [256, 256 * 1024];

const isGuess = (kind: SecretKind, secret: Uint8Array): boolean => kind !== 'made' || isChosen(secret);

/** Joins a session that has no others beside it. */
const alone: Join = () => ({
  room: () => ({ guesses: Infinity, words: Infinity }),
  tell: () => {},
  leave: () => {},
});

/**
 * Does the tasks of one session in its thread, one after the other. A thread that takes too long is killed, and another one
 * takes its place, which is told what this one knew.
 */
export class SessionWorker {
  readonly #start: StartThread;
  #thread: Thread | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #secrets: Memory[] = [];
  /** Text that this session and others wrote. */
  #written: Written[] = [];
  #over: string[] = [];
  /**
   * This session's counted words. INVARIANT: a thread that replaces another starts with them; otherwise its
   * crash would give the agent new guesses.
   */
  #own: { counted: string[]; over: string[] } = { counted: [], over: [] };
  /** Null: nothing is withheld. */
  #withholding: {
    readonly key: Uint8Array;
    readonly allowedUrls: readonly string[];
    isLent: boolean;
    /** For a thread that takes the place of this one: as the last one wrote it. */
    known: Uint8Array | null;
  } | null = null;
  #isOver = false;
  #hasForgotten = false;
  #told = 0;
  #member: Member = alone(() => {});

  /** `scope`: what it was opened with is the first that was written, so that nothing masks its own addresses. */
  constructor(start: StartThread, join = alone, scope: Written = { texts: [] }) {
    this.#start = start;
    this.#thread = start();
    this.write(scope).catch(() => undefined);
    this.#member = join((told) => this.#hear(told));
  }

  /** Masks this secret too from now on, in pages at these addresses or in all. The caller wipes what it passed. */
  add(secret: Uint8Array, kind: SecretKind, where: readonly string[] | null = null): void {
    if (this.#isOver || (this.#hasForgotten && isGuess(kind, secret))) return;
    const isKnown = (known: Memory) =>
      known.kind === kind && known.secret.equals(secret) && isDeepStrictEqual(known.where, where);
    if (this.#secrets.some(isKnown)) return;
    const own = Buffer.from(new Uint8Array(secret));
    this.#secrets.push({ secret: own, kind, where });
    this.#tell('add', { secret: Uint8Array.from(own), kind, where });
  }

  get hasSecrets(): boolean {
    return this.#secrets.length > 0;
  }

  /** Returns how often the worker was told something: while it is equal, equal texts are masked equally. */
  get told(): number {
    return this.#told;
  }

  /**
   * Forgets every secret that somebody may guess, and those that it is given later: an agent's own code has seen the pages as they
   * are, and a mask would tell which guess is right. Of what machines made it tells nothing.
   */
  forget(): void {
    this.#hasForgotten = true;
    const forgotten = this.#secrets.filter(({ kind, secret }) => isGuess(kind, secret));
    this.#secrets = this.#secrets.filter((one) => !forgotten.includes(one));
    for (const { secret } of forgotten) secret.fill(0);
    this.#tell('forget', null);
  }

  /** From now on the agent is given stand-ins of what logs in by itself, made with this key. */
  withhold(key: Uint8Array, allowedUrls: readonly string[]): void {
    this.#withholding = { key, allowedUrls, isLent: false, known: null };
    this.#tellWithholding();
  }

  /** A credential was lent: what machines made and addresses show from now on may be a log-in. */
  noteLent(): void {
    if (this.#withholding === null || this.#withholding.isLent) return;
    this.#withholding.isLent = true;
    this.#tellWithholding();
  }

  #tellWithholding(): void {
    if (this.#withholding !== null) this.#tell('withhold', { ...this.#withholding, known: null });
  }

  /**
   * What the agent itself wrote is never compared with a secret. Whether there was room for its words; where there was none,
   * a person has to be asked. Rejects with a `WorkerFailed`: then it may not be written.
   */
  async write(written: Written): Promise<{ readonly isFull: boolean }> {
    if (written.texts.length === 0) return { isFull: false };
    this.#told += 1;
    const taken = await this.ask('write', { written, room: this.#member.room() });
    this.#own.counted.push(...taken.counted);
    this.#own.over.push(...taken.over);
    this.#remember(written);
    this.#member.tell(written, taken);
    return taken;
  }

  #hear({ written, over }: Told): void {
    if (this.#isOver || written.length + over.length === 0) return;
    this.#over.push(...over);
    this.#remember(...written);
    this.#tell('hear', { written, over });
  }

  #remember(...written: readonly Written[]): void {
    let characters = 0;
    this.#written = [...this.#written, ...written]
      .slice(-maxWritten)
      .reverse()
      .filter(({ texts }) => (characters += texts.join('').length) <= maxCharacters)
      .reverse();
  }

  /** Rejects with a `WorkerFailed`. */
  ask<T extends TaskName>(task: T, given: Given<T>): Promise<Done<T>> {
    const asked = this.#last.then(() => this.#run(task, given));
    this.#last = asked.catch(() => null);
    return asked;
  }

  /** Masks a URL, or a text of a page at `url`; null: of any page. */
  async mask(text: string, url: string | null = null, cookies: readonly Cookie[] = []): Promise<string> {
    const [masked = ''] = await this.ask('mask', { texts: [text], url, cookies });
    return masked;
  }

  /** Wipes what it knows. Nothing is answered any more. */
  close(): void {
    this.#isOver = true;
    for (const { secret } of this.#secrets) secret.fill(0);
    [this.#secrets, this.#written, this.#over] = [[], [], []];
    this.#own = { counted: [], over: [] };
    this.#withholding = null;
    this.#member.leave();
    this.#thread?.stop();
    this.#thread = null;
  }

  /** Whatever becomes of it: a thread that did not hear it is gone, and the next one hears all. */
  #tell<T extends TaskName>(task: T, given: Given<T>): void {
    this.#told += 1;
    this.ask(task, given).catch(() => undefined);
  }

  async #run<T extends TaskName>(task: T, given: Given<T>): Promise<Done<T>> {
    if (this.#isOver) throw new WorkerFailed('ended');
    const thread = (this.#thread ??= await this.#again());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new WorkerFailed('late')), limitMs);
    });
    try {
      const { done, withheld } = await Promise.race([thread.run(task, given), late]);
      if (withheld !== null && this.#withholding !== null) this.#withholding.known = withheld;
      return done;
    } catch (error) {
      if (error instanceof WorkerFailed && error.why !== 'threw') this.#drop(thread);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #drop(thread: Thread): void {
    thread.stop();
    if (this.#thread === thread) this.#thread = null;
  }

  async #again(): Promise<Thread> {
    const thread = this.#start();
    try {
      for (const { secret, kind, where } of this.#secrets)
        await thread.run('add', { secret: Uint8Array.from(secret), kind, where });
      if (this.#withholding !== null) await thread.run('withhold', this.#withholding);
      await thread.run('hear', { written: this.#written, over: this.#over, own: this.#own });
    } catch (error) {
      thread.stop();
      throw error;
    }
    return thread;
  }
}
