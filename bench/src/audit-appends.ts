import { sign } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { again, type Cost, costOf, keyPair, medianCost, sampleDraft, withAuditLog } from './audit-sample.ts';
import { median, type Round, runLoad, warmUp } from './load.ts';

/** Medians of the rounds; times are milliseconds. */
export type Appends = Cost & {
  readonly callers: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
};
export type AppendResult = {
  readonly appends: readonly Appends[];
  /** Bare signatures, and bare flushes of 64 records' bytes: what no log of this kind can beat. */
  readonly signature: Cost;
  readonly flush: Cost;
};

/** Appends by 64 callers and by one, the limits measured in between. */
export async function measureAppends(options: {
  readonly rounds: number;
  readonly seconds: number;
  readonly dir: string | null;
}): Promise<AppendResult> {
  return withAuditLog(options.dir, async (log, folder) => {
    const call = async (n: number): Promise<void> => {
      const appended = await log.append(sampleDraft(n));
      if (!appended.ok) throw new Error(appended.error.reason);
    };
    await warmUp(call);
    const rounds: { readonly callers: number; readonly load: Round; readonly cost: Cost }[] = [];
    const [signatures, flushes]: Cost[][] = [[], []];
    for (let round = 0; round < options.rounds; round += 1) {
      for (const callers of [64, 1]) {
        let load: Round | null = null;
        const cost = await costOf(async () => (load = await runLoad(call, callers, options.seconds)).calls);
        if (load !== null) rounds.push({ callers, load, cost });
        signatures?.push(await bareSignatures());
        flushes?.push(await bareFlushes(folder));
      }
    }
    const appends = [64, 1].map((callers) => {
      const own = rounds.filter((round) => round.callers === callers);
      return {
        callers,
        ...medianCost(own.map(({ cost }) => cost)),
        p50: median(own.map(({ load }) => load.p50)),
        p99: median(own.map(({ load }) => load.p99)),
        failed: own.reduce((sum, { load }) => sum + load.failed, 0),
      };
    });
    return { appends, signature: medianCost(signatures ?? []), flush: medianCost(flushes ?? []) };
  });
}

const limitMs = 250;

function bareSignatures(): Promise<Cost> {
  const digest = Buffer.alloc(32, 7);
  return costOf(() => again(limitMs, () => sign(null, digest, keyPair.privateKey)));
}

async function bareFlushes(folder: string): Promise<Cost> {
  const fd = openSync(join(folder, 'limit'), 'w');
  const bytes = Buffer.alloc(64 * 790, 7);
  const cost = await costOf(() =>
    again(limitMs, () => {
      writeSync(fd, bytes);
      fdatasyncSync(fd);
    }),
  );
  closeSync(fd);
  return cost;
}
