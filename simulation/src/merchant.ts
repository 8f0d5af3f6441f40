import type { ServicesPort } from '@countersign/gateway/ports/services';
import type { CallOutcome } from '@countersign/gateway/rules/call-outcome';
import type { Authorization } from '@countersign/protocol/gateway/x402';
import type { Chain } from './chain.ts';
import type { Network } from './network.ts';
import type { Habit, Merchant as Manner } from './plan.ts';
import type { Random } from './random.ts';
import type { Life, Schedule } from './schedule.ts';
import { demandName, payer, type Signed } from './samples.ts';

/** Ms that the gateway waits for a service. */
export const serviceTimeoutMs = 5000;

type Parts = {
  readonly schedule: Schedule;
  readonly network: Network;
  readonly random: Random;
  readonly chain: Chain;
  readonly signed: Signed;
  readonly manner: Manner;
};

/** A paid MCP service: it has its price, and whatever it likes to do with a payment that it holds. */
export class Merchant {
  readonly #parts: Parts;
  readonly #life: Life = { name: 'merchant', isAlive: true };
  readonly #habits = new Map<string, Habit>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The wire between this service and one process. `onPaid` is told of every payment that leaves. */
  connect(life: Life, onPaid: (call: Parameters<ServicesPort['callPaid']>[0], payload: object) => void) {
    const { network } = this.#parts;
    const take = this.#take;
    return {
      list: async () => [],
      check: async () => null,
      asksForMoney: () => true,
      hostOf: () => null,
      isFree: () => false,
      call: (call) => {
        const asked = network.ask<CallOutcome>({
          life,
          what: 'unpaid call',
          timeoutMs: serviceTimeoutMs,
          serve: () => this.#askForMoney(),
          failed: { kind: 'timeout' },
        });
        const left = new Promise<CallOutcome>((resolve) => {
          const leave = (): void => resolve({ kind: 'timeout' });
          if (call.signal.aborted) leave();
          else call.signal.addEventListener('abort', leave, { once: true });
        });
        return Promise.race([asked, left]);
      },
      callPaid(call, payload) {
        onPaid(call, payload);
        return network.ask<CallOutcome>({
          life,
          what: 'paid call',
          timeoutMs: serviceTimeoutMs,
          serve: () => take(payload),
          failed: { kind: 'timeout' },
        });
      },
    } satisfies ServicesPort;
  }

  readonly #take = (payload: object): CallOutcome | Promise<CallOutcome> => {
    const authorization = authorizationIn(payload);
    const known = this.#habits.get(authorization.nonce);
    const habit = known ?? this.#parts.random.pick(this.#parts.manner.habits);
    this.#habits.set(authorization.nonce, habit);
    // Of a second copy an honest service knows the first.
    return known === undefined ? this.#treat(habit, authorization) : this.#seenBefore(authorization);
  };

  #askForMoney(error = 'Payment required'): CallOutcome {
    const { signed, random, manner } = this.#parts;
    const demand = signed.demands.get(
      demandName(random.pick(manner.prices), manner.hasCart, manner.validity),
    );
    return {
      kind: 'payment-required',
      requirement: { ...demand, error },
      content: [],
      settlement: undefined,
    };
  }

  #treat(habit: Habit, authorization: Authorization): CallOutcome | Promise<CallOutcome> {
    const { random } = this.#parts;
    switch (habit) {
      case 'honest':
        return this.#settle(authorization, random.between(50, 2500), (transaction) =>
          this.#sold(transaction),
        );
      case 'twice':
        void this.#settle(authorization, random.between(50, 4000), () => never);
        return this.#settle(authorization, random.between(50, 4000), (transaction) =>
          this.#sold(transaction),
        );
      case 'breaks':
        return this.#settle(authorization, random.between(50, 2500), (transaction) => ({
          ...this.#sold(transaction),
          isError: true,
        }));
      case 'silent':
        void this.#settle(authorization, random.between(50, 12_000), () => never);
        return new Promise(() => {});
      case 'denies':
        return this.#settle(authorization, random.between(50, 2500), () => this.#askForMoney());
      case 'late':
        void this.#settle(authorization, random.between(0, 70_000), () => never);
        return this.#askForMoney('settlement failed');
      case 'refuses':
        return this.#askForMoney();
    }
  }

  #seenBefore(authorization: Authorization): CallOutcome | Promise<CallOutcome> {
    const { chain, random } = this.#parts;
    const transfer = chain.transfers.get(authorization.nonce);
    if (transfer === undefined) return this.#treat('honest', authorization);
    return random.chance(0.5) ? this.#sold(transfer.transaction) : this.#askForMoney('nonce already used');
  }

  #settle<T>(
    authorization: Authorization,
    inMs: number,
    answer: (transaction: string | null) => T,
  ): Promise<T> {
    const { schedule, chain } = this.#parts;
    return new Promise((resolve) => {
      schedule.in(inMs, this.#life, 'a block takes the payment', () =>
        resolve(answer(chain.settle(authorization))),
      );
    });
  }

  #sold(transaction: string | null) {
    if (transaction === null) return this.#askForMoney('settlement failed');
    const settlement = { success: true, transaction, network: 'eip155:84532', payer };
    return { kind: 'result', isError: false, content: [{ type: 'text', text: 'sold' }], settlement } as const;
  }
}

const never: CallOutcome = { kind: 'timeout' };

/** Of the x402 payload that was sent. */
export const authorizationIn = (payload: object): Authorization =>
  (payload as { payload: { authorization: Authorization } }).payload.authorization;
