import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { createLogger } from '@countersign/service/logger';
import { afterEach, beforeEach, expect } from 'vitest';
import { callAndPay } from '../src/payment/call-and-pay.ts';
import { exportLines } from '../src/receipts/export.ts';
import { configurationInput } from '../src/receipts/inputs.ts';
import type { Receipt } from '../src/receipts/receipt.ts';
import { openReceiptKey } from '../src/receipts/receipt-key.ts';
import { openReceipts, readReceipts } from '../src/receipts/store.ts';
import { verifyExport } from '../src/receipts/verify.ts';
import type { PaymentPolicy } from '../src/rules/policy.ts';
import { type Environment, openEnvironment } from '../src/state/environment.ts';
import { type Answers, asksFor, goodAnswers, portsWith } from './paying-ports.ts';
import { call, now, policy } from './samples.ts';

export type About = {
  readonly answers?: Partial<Answers>;
  readonly policy?: Partial<PaymentPolicy>;
  /** Whether a contract at the payee's address says that it signed. */
  readonly contract?: boolean;
};

const log = createLogger('test', 'fatal');

/** For one test file: calls of a paid tool, each test with receipts of its own, which are verified after every call. */
export function openBuyer() {
  let dir: string;
  let environment: Environment;
  let reports: TransactionReport[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'countersign-offers-'));
    environment = openEnvironment(dir);
    reports = [];
  });
  afterEach(async () => {
    await environment.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function exported(): Promise<string[]> {
    const store = readReceipts(dir);
    const lines = [...exportLines(store, openReceiptKey(dir), null, now)];
    await store.close();
    return lines;
  }

  /** One call of a tool that asks so, and how it ended; its receipt has been verified, and says the same. */
  async function buy(requirement: unknown, { answers, policy: rules, contract = false }: About = {}) {
    const payment = { ...policy, ...rules };
    const receipts = openReceipts({
      environment,
      key: openReceiptKey(dir),
      configuration: configurationInput(payment, [], true),
      reporting: { report: async (report) => void reports.push(report), reportWithin: null },
      now: () => now,
      log,
    });
    const ports = portsWith({ ...(await goodAnswers()), asked: asksFor(requirement), ...answers }, receipts);
    let paid = 0;
    const callPaid: typeof ports.services.callPaid = (...sent) => {
      paid += 1;
      return ports.services.callPaid(...sent);
    };
    const answer = await callAndPay(
      {
        ...ports,
        policy: payment,
        services: { ...ports.services, callPaid },
        chain: ports.chain && { ...ports.chain, signedByContract: () => async () => contract },
      },
      call(),
    );
    const lines = await exported();
    expect((await verify(lines)).problems).toEqual([]);
    const { receipt } = JSON.parse(lines.at(-2) ?? '') as { receipt: Receipt };
    expect(receipt.verdict.code).toBe(answer.code);
    const trace = receipt.trace.map(({ rule, verdict }) => `${rule} ${verdict}`);
    return { answer, paid, trace, context: answer.detail.paymentContext };
  }

  return { buy, exported, reports: (): readonly TransactionReport[] => reports };
}

/** What `countersign receipt verify` finds of these lines. */
export const verify = (lines: readonly string[]) =>
  verifyExport(async function* () {
    yield* lines;
  }, null);
