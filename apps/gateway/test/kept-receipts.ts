import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { createLogger } from '@countersign/service/logger';
import { callAndPay } from '../src/payment/call-and-pay.ts';
import { exportLines } from '../src/receipts/export.ts';
import { configurationInput } from '../src/receipts/inputs.ts';
import type { ReceiptsPort } from '../src/receipts/receipt.ts';
import { openReceiptKey } from '../src/receipts/receipt-key.ts';
import { openReceipts, readReceipts } from '../src/receipts/store.ts';
import { verifyExport } from '../src/receipts/verify.ts';
import { type Environment, openEnvironment } from '../src/state/environment.ts';
import { type Answers, goodAnswers, portsWith } from './paying-ports.ts';
import { call, now, policy } from './samples.ts';

const log = createLogger('test', 'fatal');

/** The receipts of one gateway, in a directory of its own. */
export class KeptReceipts {
  readonly dir: string;
  readonly reports: TransactionReport[] = [];
  readonly port: ReceiptsPort;
  readonly #environments: Environment[] = [];

  private constructor(dir: string) {
    this.dir = dir;
    this.port = this.openOneMore();
  }

  static async open(): Promise<KeptReceipts> {
    return new KeptReceipts(await mkdtemp(join(tmpdir(), 'countersign-receipts-')));
  }

  /** One more process on the directory. */
  openOneMore(): ReceiptsPort {
    const environment = openEnvironment(this.dir);
    this.#environments.push(environment);
    const reporting = {
      report: async (report: TransactionReport) => void this.reports.push(report),
      reportWithin: null,
    };
    return openReceipts({
      environment,
      key: openReceiptKey(this.dir),
      configuration: configurationInput(policy, [], true),
      reporting,
      now: () => now,
      log,
    });
  }

  /** One call, of which a receipt is kept. */
  async run(changes: Partial<Answers> = {}, about: Parameters<typeof call>[0] = {}) {
    return callAndPay(portsWith({ ...(await goodAnswers()), ...changes }, this.port), call(about));
  }

  async exported(since: number | null = null): Promise<string[]> {
    const store = readReceipts(this.dir);
    try {
      return [...exportLines(store, openReceiptKey(this.dir), since, now)];
    } finally {
      await store.close();
    }
  }

  /** An export of four receipts of different ends. */
  async four(): Promise<string[]> {
    await this.run();
    await this.run({ payerKyc: { kind: 'not-found' } });
    await this.run({ hold: { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' } });
    await this.run({ paid: { kind: 'timeout' } });
    return this.exported();
  }

  async close(): Promise<void> {
    for (const { close } of this.#environments) await close();
    await rm(this.dir, { recursive: true, force: true });
  }
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
export const verify = (lines: readonly string[], key: string | null = null) =>
  verifyExport(() => each(lines), key);

/** The kinds of problems that verifying finds. */
export const kindsOf = async (lines: readonly string[], key: string | null = null) => [
  ...new Set((await verify(lines, key)).problems.map(({ kind }) => kind)),
];
