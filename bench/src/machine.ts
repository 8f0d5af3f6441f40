import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** Where and when a result was measured. */
export type Machine = {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly platform: string;
  readonly commit: string;
  /** Load average of the last minute, before the run: what else was going on. */
  readonly loadBefore: number;
};

/** Describes this machine now. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    commit: commit(),
    loadBefore: loadNow(),
  };
}

/** Load average of the last minute. */
export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'apps', 'packages', 'local', 'bench') !== '';
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with uncommitted changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
