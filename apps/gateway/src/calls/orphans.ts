import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentEntry, StatePort, ToolCall } from '../ports.ts';
import type { Unnamed } from '../reconcile.ts';
import { paidInVain } from '../reply.ts';
import { claimMs } from '../state/forget.ts';
import { offeredForMs } from './kept.ts';

type Parts = {
  readonly state: StatePort;
  readonly now: () => number;
  readonly process: string;
  /** Told when a payment could not be let go; it is free once this process ends. */
  readonly warn: (error: unknown) => void;
};

/** How often a process is asked whether it is still there. */
const pollMs = 100;

/** Who has a payment that nobody looks after; no process has this name. */
const nobody = '';

const claimOf = (process: string): string => `process ${process}`;

/**
 * Payments without a key whose process died before it had an answer: the next identical call sends that very payment
 * again, as the same key would, or is told that it has settled. The journal has the process that looks after each,
 * until its caller is told; and each process claims its own name while it works, so that the others see that it lives.
 */
export class Orphans implements Unnamed {
  readonly #parts: Parts;
  /** The traces of the payments that this process looks after right now. */
  readonly #active = new Set<string>();
  #working = 0;
  /** Unix ms at which the others were last told that this process lives. */
  #toldAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when others can see that this process lives. */
  async begin({ traceId }: Pick<ToolCall, 'traceId'>): Promise<void> {
    this.#working += 1;
    this.#active.add(traceId);
    if (this.#parts.now() - this.#toldAt > claimMs / 2) await this.#tellAll();
  }

  /** The call is over, and what it took over is looked after no more. */
  end({ traceId }: Pick<ToolCall, 'traceId'>, taken: PaymentEntry | null): void {
    this.#working -= 1;
    this.#active.delete(traceId);
    if (taken?.asker !== undefined) this.#active.delete(taken.asker.traceId);
  }

  /** To be called often enough that no claim runs out. */
  async renew(): Promise<void> {
    if (this.#working > 0) await this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    const at = this.#parts.now();
    await this.#parts.state.claim(claimOf(this.#parts.process), '');
    this.#toldAt = at;
  }

  /** Whoever comes next need not wait for the claim to run out. */
  close(): Promise<void> {
    return this.#parts.state.release(claimOf(this.#parts.process));
  }

  /** The oldest orphan of this identity, now this process's until it is let go and `end`. Null when there is none. */
  async adopt({ signal }: ToolCall, identity: string): Promise<PaymentEntry | null> {
    const { state, now } = this.#parts;
    const patientUntil = now() + 2 * claimMs;
    for (;;) {
      // Before the look: what ran out of time meanwhile is looked at once more.
      const isLast = now() > patientUntil || signal.aborted;
      const entries = (await state.unresolvedOf(identity, now() - offeredForMs)).filter(
        ({ asker }) => asker !== undefined && !this.#active.has(asker.traceId),
      );
      for (const entry of entries) {
        const orphan = (await this.isElsewhere(entry)) ? null : await this.#take(entry);
        if (orphan !== null) return orphan;
      }
      if (entries.length === 0 || isLast) return null;
      await pause(pollMs);
    }
  }

  /** Null when somebody else has taken it, or its outcome is known. */
  async #take(entry: PaymentEntry): Promise<PaymentEntry | null> {
    const { asker } = entry;
    if (asker === undefined || this.#active.has(asker.traceId)) return null;
    this.#active.add(asker.traceId);
    let taken: PaymentEntry | null = null;
    try {
      const { state, process } = this.#parts;
      taken = await state.passOn(entry, { ...asker, process });
      return taken;
    } finally {
      if (taken === null) this.#active.delete(asker.traceId);
    }
  }

  /** Its caller has been told: nobody is to take it over. Else whoever comes next may. */
  async letGo(entry: PaymentEntry, isTold: boolean): Promise<void> {
    const { state, warn } = this.#parts;
    const { asker } = entry;
    if (asker === undefined) return;
    await state.passOn(entry, isTold ? null : { ...asker, process: nobody }).catch(warn);
  }

  async isElsewhere({ asker }: PaymentEntry): Promise<boolean> {
    const { state, process } = this.#parts;
    return (
      asker !== undefined && asker.process !== process && (await state.isClaimed(claimOf(asker.process)))
    );
  }

  async settle(entry: PaymentEntry, transaction: string, report: () => Promise<void>): Promise<void> {
    const { asker, callHash } = entry;
    if (asker === undefined || this.#active.has(asker.traceId)) return report();
    const { state, now, process } = this.#parts;
    const name = `${asker.identity} ${asker.traceId}`;
    const settling = { traceId: `${process} settles ${name}` };
    let taken: PaymentEntry | null = null;
    try {
      await this.begin(settling);
      taken = await this.#take(entry);
      if (taken === null) return;
      const envelope = paidInVain(entry, now(), transaction);
      const kept = { callHash, envelope, keptForMs: offeredForMs, isRunning: false };
      const isFresh = entry.openedAt > now() - offeredForMs;
      if (isFresh) await state.offer(asker.identity, name, offeredForMs, kept);
      await report();
    } catch (error) {
      if (taken !== null) await this.letGo(taken, false);
      throw error;
    } finally {
      this.end(settling, taken);
    }
  }
}
