import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Timers } from '@countersign/service/timers';
import type { Settled } from '../ports/chain.ts';
import type { Asker, PaymentEntry } from '../ports/payment-entry.ts';
import type { StatePort } from '../ports/state.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Unnamed } from '../payment/reconcile.ts';
import { paidInVain } from '../payment/reply.ts';
import { claimMs } from '../state/forget.ts';
import { offeredForMs } from './kept.ts';

type Parts = {
  readonly state: StatePort;
  readonly now: () => number;
  readonly timers: Timers;
  readonly process: string;
  /** Told when a payment could not be let go; it is free once this process ends. */
  readonly warn: (error: unknown) => void;
};

/** Interval, in milliseconds, at which a process is asked whether it still runs. */
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
  /** Those of them that have settled, and whose answer is being offered. */
  readonly #settling = new Set<string>();
  /**
   * Answers about settled payments that a call is handling: the next call gets them if this one fails to
   * deliver.
   */
  readonly #settled = new Map<string, GatewayEnvelope>();
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
    for (const name of [traceId, taken?.asker?.traceId ?? traceId]) {
      this.#active.delete(name);
      this.#settled.delete(name);
    }
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

  /**
   * The oldest orphan of this identity, now this process's until it is let go and `end`. Null when there is none; `gone`
   * when there was one, of which the answer may be offered by now.
   */
  async adopt({ signal }: ToolCall, identity: string): Promise<PaymentEntry | 'gone' | null> {
    const { state, now, timers } = this.#parts;
    const patientUntil = now() + 2 * claimMs;
    for (let hasSeen = false; ; hasSeen = true) {
      // Before the look: what ran out of time meanwhile is looked at once more.
      const isLast = now() > patientUntil || signal.aborted;
      const entries = (await state.unresolvedOf(identity, now() - offeredForMs)).filter(
        ({ asker }) =>
          asker !== undefined && (!this.#active.has(asker.traceId) || this.#settling.has(asker.traceId)),
      );
      for (const entry of entries) {
        const orphan = (await this.isElsewhere(entry)) ? null : await this.#take(entry);
        if (orphan !== null) return orphan;
      }
      if (entries.length === 0) return hasSeen ? 'gone' : null;
      if (isLast) return null;
      await timers.pause(pollMs);
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
  letGo(entry: PaymentEntry, isTold: boolean): Promise<void> {
    return this.#letGo(entry, isTold).catch(this.#parts.warn);
  }

  async #letGo(entry: PaymentEntry, isTold: boolean): Promise<void> {
    const { state } = this.#parts;
    const { asker } = entry;
    if (asker === undefined) return;
    const settled = isTold ? undefined : this.#settled.get(asker.traceId);
    if (settled !== undefined) await this.#offer(entry, asker, settled);
    else await state.passOn(entry, isTold ? null : { ...asker, process: nobody });
  }

  async isElsewhere({ asker }: PaymentEntry): Promise<boolean> {
    const { state, process } = this.#parts;
    return (
      asker !== undefined && asker.process !== process && (await state.isClaimed(claimOf(asker.process)))
    );
  }

  async settle(entry: PaymentEntry, settled: Settled, report: () => Promise<void>): Promise<void> {
    const { asker } = entry;
    if (asker === undefined) return report();
    const { now, process } = this.#parts;
    if (this.#active.has(asker.traceId)) {
      // A call of ours takes it over just now. Known as settled it would be lost to that call, and its answer to everybody.
      if (asker.process !== process) return;
      this.#settled.set(asker.traceId, paidInVain(entry, now(), settled));
      try {
        return await report();
      } catch (error) {
        // It is still in the journal, for the next look.
        this.#settled.delete(asker.traceId);
        throw error;
      }
    }
    const settling = { traceId: `${process} settles ${nameOf(asker)}` };
    let taken: PaymentEntry | null = null;
    let isOffered = false;
    try {
      await this.begin(settling);
      this.#settling.add(asker.traceId);
      taken = await this.#take(entry);
      if (taken === null) return;
      await this.#offer(entry, asker, paidInVain(entry, now(), settled));
      isOffered = true;
      await report();
    } catch (error) {
      // What is offered is not offered once more by the next look, which then only reports it. A state that fails here too is
      // told of once, by what is thrown.
      if (taken !== null) await this.#letGo(taken, isOffered).catch(() => {});
      throw error;
    } finally {
      this.#settling.delete(asker.traceId);
      this.end(settling, taken);
    }
  }

  async #offer({ openedAt, callHash }: PaymentEntry, asker: Asker, envelope: GatewayEnvelope): Promise<void> {
    const { state, now } = this.#parts;
    if (openedAt <= now() - offeredForMs) return;
    const kept = { callHash, envelope, keptForMs: offeredForMs, isRunning: false };
    await state.offer(asker.identity, nameOf(asker), offeredForMs, kept);
  }
}

const nameOf = ({ identity, traceId }: Asker): string => `${identity} ${traceId}`;
