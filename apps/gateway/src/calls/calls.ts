import { formatAmount } from '@countersign/protocol/amount';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { Timers } from '@countersign/service/timers';
import { canonicalText, sha256 } from '../canonical.ts';
import { hashCall, keyOf, nameCall } from '../payment/payment.ts';
import type { CallsPort } from '../ports/calls.ts';
import type { StatePort } from '../ports/state.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { envelope, messages, paymentInDoubt } from '../payment/reply.ts';
import { claimMs, namedForMs } from '../state/forget.ts';
import { offeredForMs, replayed, toKeep } from './kept.ts';
import { Orphans } from './orphans.ts';
import { Run, type Work } from './run.ts';

type Parts = {
  readonly state: StatePort;
  readonly now: () => number;
  readonly timers: Timers;
  /** Returns whether the tool is known to cost nothing: then no answer of it waits for anybody. */
  readonly isFree: (call: ToolCall) => boolean;
  /** Names this process among all that there ever are on this state. */
  readonly process: string;
  readonly log: Logger;
};

/** Interval, in milliseconds, at which another process is asked for the answer. */
const pollMs = 50;

/** Returns the parts that distinguish two requests for the same call: the approval and the maximum amount. */
const askedOf = ({ paymentPayload, maxAmount }: ToolCall): string =>
  sha256(canonicalText([paymentPayload ?? null, maxAmount === undefined ? null : formatAmount(maxAmount)]));

/** Names what an agent would have to ask for to get an answer that it never got. */
const identityOf = (call: ToolCall): string => sha256(canonicalText([call.agent, hashCall(call)]));

/** The calls of one process: who waits for which, and which answers are kept for whom. */
export class Calls implements CallsPort {
  readonly #parts: Parts;
  readonly #running = new Map<string, Run>();
  readonly #claimed = new Set<string>();
  /** Answers whose callers left here lately, by identity; resolves when the state knows of them. */
  readonly #offering = new Map<string, Promise<unknown>>();
  readonly #stopRenewing: () => void;
  /** Payments that processes left behind. */
  readonly unnamed: Orphans;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { state, now, timers, process } = parts;
    this.unnamed = new Orphans({
      state,
      now,
      timers,
      process,
      warn: (error) => parts.log.warn(`a payment was not let go: ${sayWhy(error)}`),
    });
    this.#stopRenewing = timers.every(claimMs / 5, () => this.#renew());
  }

  async run(call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    const key = keyOf(call);
    if (key !== null) return this.#runNamed(key, call, work);
    const asPriced = async (priced: ToolCall): Promise<GatewayEnvelope> =>
      (await this.#fetchOffered(priced)) ?? this.#runOrResume({ ...priced, asPriced: undefined }, work);
    return this.#parts.isFree(call) ? this.#runUnnamed({ ...call, asPriced }, work) : asPriced(call);
  }

  /**
   * Runs the call; if an identical call has paid in a process that died, this call takes over its payment.
   */
  async #runOrResume(call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    const asker = { identity: identityOf(call), process: this.#parts.process, traceId: call.traceId };
    let sent: PaymentEntry | null = null;
    let orphan: PaymentEntry | null = null;
    let answer: GatewayEnvelope | null = null;
    try {
      await this.unnamed.begin(call);
      const found = await this.unnamed.adopt(call, asker.identity);
      if (found === 'gone') answer = await this.#fetchOffered(call);
      if (answer !== null) return answer;
      orphan = found === 'gone' ? null : found;
      const onSent = (entry: PaymentEntry): void => {
        sent = entry;
      };
      answer = await this.#runUnnamed({ ...call, asker, ...(orphan && { orphan }), onSent }, work);
      return answer;
    } finally {
      const left = sent ?? orphan;
      // What has settled is in the journal as such.
      if (left !== null && answer?.detail.paymentMade !== true)
        await this.unnamed.letGo(left, sent !== null && answer !== null);
      this.unnamed.end(call, orphan);
    }
  }

  /** Resolves when all that is kept is kept. */
  async close(): Promise<void> {
    this.#stopRenewing();
    await Promise.all(this.#offering.values());
    await this.unnamed.close().catch((error: unknown) => this.#warnOfClaim(error));
  }

  async #runNamed(key: string, call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    const about = { callHash: hashCall(call), asked: askedOf(call) };
    for (;;) {
      const running = this.#running.get(key);
      if (running === undefined) {
        const run = new Run(call, about, (joined) => this.#claimAndRun(key, about.callHash, joined, work));
        this.#running.set(key, run);
        return run.answer.finally(() => this.#running.delete(key));
      }
      if (running.callHash !== about.callHash) return this.#conflict(call);
      if (running.asked === about.asked && !running.isCancelled) return joinRun(running, call);
      await running.answer.catch(() => {});
    }
  }

  /** Alone among all processes: whoever comes second waits for the answer. */
  async #claimAndRun(key: string, callHash: string, call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    const { state, now, timers } = this.#parts;
    for (let hasWaited = false; ; hasWaited = true) {
      const claimed = await state.claim(key, callHash);
      switch (claimed.kind) {
        case 'conflict':
          return this.#conflict(call);
        case 'answered':
          return hasWaited ? claimed.answer : replayed(claimed.answer);
        case 'running':
          if (call.signal.aborted) return envelope(call, now(), 'CANCELLED', messages.CANCELLED);
          await timers.pause(pollMs);
          break;
        case 'mine':
          return this.#runClaimed(key, callHash, call, work);
      }
    }
  }

  async #runClaimed(key: string, callHash: string, call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    this.#claimed.add(key);
    try {
      if (await this.#paysForAnother(call, callHash)) return this.#conflict(call);
      const answer = await work(call);
      // Only what was paid for is final: after a refusal the same key may try again.
      if (answer.detail.paymentMade) await this.#keep(key, callHash, answer, namedForMs);
      return answer;
    } finally {
      await this.#release(key);
    }
  }

  /** A payment that has left is not final, but its key is taken. */
  async #paysForAnother(call: ToolCall, callHash: string): Promise<boolean> {
    const callKey = nameCall(call);
    const payment = callKey === null ? null : await this.#parts.state.paymentOf(callKey);
    return payment !== null && payment.callHash !== callHash;
  }

  #conflict(call: ToolCall): GatewayEnvelope {
    return envelope(call, this.#parts.now(), 'IDEMPOTENCY_CONFLICT', messages.IDEMPOTENCY_CONFLICT);
  }

  /** A call that nobody can name: its answer is kept only if its caller leaves once the payment is sent. */
  #runUnnamed(call: ToolCall, work: Work): Promise<GatewayEnvelope> {
    let latest: GatewayEnvelope | null = null;
    let isOver = false;
    const offers = { name: '', isKept: false };
    const asked: ToolCall = {
      ...call,
      onSent: (entry, facts) => {
        latest = paymentInDoubt(call, this.#parts.now(), facts, entry);
        call.onSent?.(entry, facts);
      },
      fetchOffered: (joined) => this.#fetchOffered(joined),
    };
    const run = new Run(asked, { callHash: '', asked: '' }, async (joined) => {
      try {
        latest = await work(joined);
        return latest;
      } finally {
        isOver = true;
        if (offers.name !== '') await this.#settleOffer(offers.name, call, latest);
      }
    });
    run.onLost(() => {
      if (latest === null || !run.isSent) return;
      const identity = identityOf(call);
      offers.name = `${identity} ${call.traceId}`;
      if (!isOver) this.#running.set(offers.name, run);
      const answer = toKeep(latest);
      this.#offer(identity, async () => {
        // What is kept of an answer that is yet to come says that nobody knows it.
        const first = { callHash: hashCall(call), envelope: answer, keptForMs, isRunning: !isOver };
        const kept = offers.isKept ? null : first;
        offers.isKept = true;
        if (kept?.isRunning === true) this.#claimed.add(offers.name);
        await this.#parts.state.offer(identity, offers.name, offeredForMs, kept);
      });
    });
    return run.answer;
  }

  async #settleOffer(name: string, call: ToolCall, answer: GatewayEnvelope | null): Promise<void> {
    await this.#offering.get(identityOf(call));
    if (answer !== null) await this.#keep(name, hashCall(call), answer, keptForMs);
    await this.#release(name);
    this.#running.delete(name);
  }

  /** Serializes offers for each identity, so that the next lookup sees all of them. */
  #offer(identity: string, offer: () => Promise<void>): void {
    const before = this.#offering.get(identity) ?? Promise.resolve();
    const offering = before.then(offer).catch((error: unknown) => {
      this.#parts.log.error(`an answer could not be kept: ${sayWhy(error)}`);
    });
    this.#offering.set(identity, offering);
    this.#parts.timers.after(offeredForMs, () => {
      if (this.#offering.get(identity) === offering) this.#offering.delete(identity);
    });
  }

  /** The oldest answer to this very call that its caller never got; waits for one that is on its way. */
  async #fetchOffered(call: ToolCall): Promise<GatewayEnvelope | null> {
    const identity = identityOf(call);
    await this.#offering.get(identity);
    const { state } = this.#parts;
    const name = await state.adopt(identity);
    if (name === null) return null;
    const running = this.#running.get(name);
    if (running !== undefined) return replayed(await running.join(call));
    const offerAgain = (): void =>
      this.#offer(identity, () => state.offer(identity, name, offeredForMs, null));
    if (call.signal.aborted) offerAgain();
    else call.signal.addEventListener('abort', offerAgain, { once: true });
    return this.#awaitOffered(name, call);
  }

  async #awaitOffered(name: string, call: ToolCall): Promise<GatewayEnvelope | null> {
    const { state, timers } = this.#parts;
    for (;;) {
      const claimed = await state.claim(name, hashCall(call));
      if (claimed.kind === 'answered') return replayed(claimed.answer);
      if (claimed.kind !== 'running') {
        await this.#release(name);
        return null;
      }
      await timers.pause(pollMs);
    }
  }

  async #keep(key: string, callHash: string, answer: GatewayEnvelope, forMs: number): Promise<void> {
    try {
      await this.#parts.state.remember(key, callHash, toKeep(answer), forMs);
    } catch (error) {
      // It was paid for: whoever waits gets it all the same.
      this.#parts.log.error({ traceId: answer.traceId }, `an answer could not be kept: ${sayWhy(error)}`);
    }
  }

  async #release(key: string): Promise<void> {
    this.#claimed.delete(key);
    await this.#parts.state.release(key).catch((error: unknown) => this.#warnOfClaim(error));
  }

  /** It runs out by itself. */
  #warnOfClaim(error: unknown): void {
    this.#parts.log.warn(`a claim was not released: ${sayWhy(error)}`);
  }

  #renew(): void {
    const renewing = [this.unnamed.renew()];
    if (this.#claimed.size > 0) renewing.push(this.#parts.state.renew([...this.#claimed]));
    Promise.all(renewing).catch((error: unknown) => {
      this.#parts.log.warn(`claims were not renewed: ${sayWhy(error)}`);
    });
  }
}

/** Longer than it is offered: it may be offered again. */
const keptForMs = 6 * offeredForMs;

/** Whoever joins a run that all others have left after it was sent gets what they did not. */
async function joinRun(run: Run, call: ToolCall): Promise<GatewayEnvelope> {
  const isFetched = run.isSent && !run.isAwaited;
  const answer = await run.join(call);
  return isFetched ? replayed(answer) : answer;
}
