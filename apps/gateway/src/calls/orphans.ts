import { setTimeout as pause } from 'node:timers/promises';
import { hashCall } from '../payment.ts';
import type { Asker, PaymentEntry, StatePort, ToolCall } from '../ports.ts';
import { claimMs } from '../state/forget.ts';
import type { Unnamed } from '../reconcile.ts';
import { paidInVain } from '../reply.ts';
import { offeredForMs } from './kept.ts';

type Parts = {
  readonly state: StatePort;
  readonly now: () => number;
  /** Keeps a claim of ours while it is wanted. */
  readonly hold: (key: string) => void;
  /** Lets it run out. */
  readonly drop: (key: string) => void;
  readonly release: (key: string) => Promise<void>;
  readonly process: string;
};

/** A gateway without work says no more that it lives. */
const quietMs = 30_000;

/** How often a process is asked whether it is still there. */
const pollMs = 100;

const claimOf = (process: string): string => `process ${process}`;

/**
 * Payments without a key whose process died before it had an answer: the next identical call sends that very payment
 * again, as the same key would, or is told that it has settled. Each process claims its own name while it works, so
 * that the others see whether it lives.
 */
export class Orphans implements Unnamed {
  readonly #parts: Parts;
  readonly #adopted = new Set<string>();
  /** Unix ms at which the others were last told that this process lives. */
  #toldAt = 0;
  #working = 0;
  #quiet: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a payment of this call is known again by, until `end`. Resolves when others can see that this process lives. */
  async begin({ traceId }: ToolCall, identity: string): Promise<Asker> {
    const { state, now, hold, process } = this.#parts;
    this.#working += 1;
    clearTimeout(this.#quiet);
    hold(claimOf(process));
    // Renewed while it is held; but one that has run out once is not ours to renew.
    if (now() - this.#toldAt > 2 * claimMs) {
      await state.claim(claimOf(process), '');
      this.#toldAt = now();
    }
    return { identity, process, traceId };
  }

  /** The call is over; so is its hold of what it adopted. */
  async end(orphan: PaymentEntry | null): Promise<void> {
    this.#working -= 1;
    if (this.#working === 0) this.#quiet = setTimeout(() => this.#beQuiet(), quietMs).unref();
    if (orphan !== null) await this.#giveBack(orphan);
  }

  #beQuiet(): void {
    this.#parts.drop(claimOf(this.#parts.process));
    this.#toldAt = 0;
  }

  /** Whoever comes next need not wait for the claim to run out. */
  close(): Promise<void> {
    return this.#parts.release(claimOf(this.#parts.process));
  }

  /** The oldest such payment; it is this call's alone until `end`. Null when there is none. */
  async adopt(call: ToolCall, identity: string): Promise<PaymentEntry | null> {
    const orphan = await this.#find(call, identity);
    if (orphan === null || this.#adopted.has(orphan.nonce)) return null;
    this.#adopted.add(orphan.nonce);
    const { state, hold } = this.#parts;
    hold(orphanKey(orphan));
    const claimed = await state.claim(orphanKey(orphan), hashCall(call));
    if (claimed.kind === 'mine') return orphan;
    await this.#giveBack(orphan);
    return null;
  }

  async #giveBack(orphan: PaymentEntry): Promise<void> {
    this.#adopted.delete(orphan.nonce);
    await this.#parts.release(orphanKey(orphan));
  }

  async isElsewhere({ asker }: PaymentEntry): Promise<boolean> {
    return asker !== undefined && asker.process !== this.#parts.process && !(await this.#isGone(asker));
  }

  async tellNext(entry: PaymentEntry, transaction: string): Promise<void> {
    const { asker, nonce, callHash } = entry;
    const { state, now, process } = this.#parts;
    if (asker === undefined || asker.process === process || this.#adopted.has(nonce)) return;
    const envelope = paidInVain(entry, now(), transaction);
    const kept = { callHash, envelope, keptForMs: offeredForMs, isRunning: false };
    await state.offer(asker.identity, `${asker.identity} ${asker.traceId}`, offeredForMs, kept);
  }

  /** A process that lives settles its payment, or renews its claim: of one that does neither the payment is an orphan. */
  async #find({ signal }: ToolCall, identity: string): Promise<PaymentEntry | null> {
    const { state, now } = this.#parts;
    const patientUntil = now() + claimMs + pollMs;
    for (;;) {
      const [orphan] = (await state.unresolvedOf(identity, now() - offeredForMs)).filter(
        ({ asker, nonce }) => asker?.process !== this.#parts.process && !this.#adopted.has(nonce),
      );
      if (orphan?.asker === undefined) return null;
      if (await this.#isGone(orphan.asker)) return orphan;
      if (now() > patientUntil || signal.aborted) return null;
      await pause(pollMs);
    }
  }

  async #isGone({ process }: Asker): Promise<boolean> {
    const { state, release } = this.#parts;
    const claimed = await state.claim(claimOf(process), '');
    if (claimed.kind !== 'mine') return false;
    await release(claimOf(process));
    return true;
  }
}

const orphanKey = ({ nonce }: PaymentEntry): string => `orphan ${nonce}`;
