// what a call through the gateway costs: free against other MCP proxies, paid against a bare x402 client
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ownedProcesses } from '@countersign/service/owned-process';
import { measureFreeCall } from './src/free-call.ts';
import { reportFreeCall } from './src/free-call-report.ts';
import type { Lab } from './src/lab.ts';
import { describeMachine } from './src/machine.ts';
import { measurePaidCall } from './src/paid-call.ts';
import { reportPaidCall } from './src/paid-call-report.ts';
import { headOf, saveResults } from './src/results.ts';

const help = `Usage: npm run bench -- gateway [OPTION]...

  --only PART        free or paid; both if absent
  --rounds N         rounds of each (default 5)
  --seconds N        length of a round (default 1)
  --callers LIST     how many call a free tool at once (default 1,16,64)
  --no-peers         without the other proxies
  --also DIR         measure the gateway of another checkout beside ours
  --profile DIR      write a CPU profile of our gateway to DIR
  --no-save          print only
`;

/** Runs the benchmark; gives the exit code. Speed is reported, never asserted: only a broken run fails. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1' },
      callers: { type: 'string', default: '1,16,64' },
      'no-peers': { type: 'boolean', default: false },
      also: { type: 'string' },
      profile: { type: 'string' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  if (values.help === true) {
    console.log(help);
    return 0;
  }
  const machine = describeMachine();
  const dir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const processes = await ownedProcesses({
    onUnexpectedExit: (name, { lastLines }) => console.error(`${name} ended:\n${lastLines.join('\n')}`),
  });
  const lab: Lab = {
    processes,
    dir,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    also: values.also === undefined ? null : resolve(values.also),
    nodeOptions: values.profile === undefined ? [] : profiling(resolve(values.profile)),
    say: (line) => console.error(`… ${line}`),
  };
  try {
    const only = values.only;
    const callers = values.callers.split(',').map(Number);
    const withPeers = !values['no-peers'];
    const free = only === 'paid' ? null : await measureFreeCall(lab, { callers, withPeers });
    const paid = only === 'free' ? null : await measurePaidCall(lab);
    const text = [
      headOf('Gateway', machine),
      ...(free === null ? [] : [reportFreeCall(free)]),
      ...(paid === null ? [] : [reportPaidCall(paid)]),
    ].join('\n\n');
    console.log(text);
    if (!values['no-save'])
      console.log(`\nsaved as ${saveResults('gateway', machine, text, { free, paid })}`);
    return 0;
  } finally {
    await processes.stopAll();
    rmSync(dir, { recursive: true, force: true });
  }
}

const profiling = (dir: string) => ['--cpu-prof', `--cpu-prof-dir=${dir}`];
