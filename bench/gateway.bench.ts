// what a call through the gateway costs: free against other MCP proxies, paid against a bare x402 client
import { parseArgs } from 'node:util';
import { measureAdmission } from './src/admission.ts';
import { reportAdmission } from './src/admission-report.ts';
import { measureDiscoveredList } from './src/discovered-list.ts';
import { reportDiscoveredList } from './src/discovered-list-report.ts';
import { measureParts, type Outcome, type Parts, runBench, whyNoPart } from './src/bench-command.ts';
import { measureFreeCall } from './src/free-call.ts';
import { reportFreeCall } from './src/free-call-report.ts';
import { type Lab, type LabOptions, withLab } from './src/lab.ts';
import { brokenRows } from './src/load.ts';
import { measurePaidCall } from './src/paid-call.ts';
import { reportPaidCall } from './src/paid-call-report.ts';
import { measureSettledCall } from './src/settled-call.ts';
import { reportSettledCall } from './src/settled-call-report.ts';

const help = `Usage: npm run bench -- gateway [OPTION]...

  --only PART        free, paid (against stubs), admission (what it and the budget add at the
                     dashboard), list (of discovered services) or settled (on a chain); all if absent
  --rounds N         rounds of each (default 5)
  --seconds N        length of a round (default 1)
  --callers LIST     how many call at once (default 1,16,64 for a free tool, 1,16 for a paid one)
  --no-peers         without the other proxies
  --also DIR         measure the gateway of another checkout beside ours
  --profile DIR      write CPU profiles of our gateway to DIR
  --no-save          print only
`;

type Options = LabOptions & {
  readonly only: string | null;
  readonly callers: readonly number[] | null;
  readonly withPeers: boolean;
  readonly save: boolean;
};

const parts: Parts<readonly [Lab, Options]> = {
  async free(lab, { callers, withPeers }) {
    const data = await measureFreeCall(lab, { callers: callers ?? [1, 16, 64], withPeers });
    return { text: reportFreeCall(data), data, broken: brokenRows(data.measured) };
  },
  async paid(lab, { callers }) {
    const data = await measurePaidCall(lab, callers ?? [1, 16]);
    return { text: reportPaidCall(data), data, broken: brokenRows(data.measured) };
  },
  async admission(lab) {
    const data = await measureAdmission(lab);
    return { text: reportAdmission(data), data, broken: brokenRows(data.measured) };
  },
  async list(lab) {
    const data = await measureDiscoveredList(lab);
    return { text: reportDiscoveredList(data), data, broken: brokenRows(data) };
  },
  async settled(lab) {
    const data = await measureSettledCall(lab);
    const many = data.manyMandates.map((row) => ({ ...row, name: `${row.callers} callers` }));
    return { text: reportSettledCall(data), data, broken: brokenRows([...data.measured, ...many]) };
  },
};

export const main = (args: readonly string[]): Promise<number> =>
  runBench({ name: 'gateway', title: 'Gateway', help, readOptions, measure }, args);

const measure = (options: Options): Promise<Outcome> =>
  withLab(options, (lab) => measureParts(parts, options.only, lab, options));

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({ args: [...args], options: argumentTypes });
  const only = values.only ?? null;
  return (
    whyNoPart(parts, only) ?? {
      only,
      callers: values.callers?.split(',').map(Number) ?? null,
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      also: values.also ?? null,
      profileDir: values.profile ?? null,
      withPeers: !values['no-peers'],
      save: !values['no-save'],
    }
  );
}

const argumentTypes = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '1' },
  callers: { type: 'string' },
  'no-peers': { type: 'boolean', default: false },
  also: { type: 'string' },
  profile: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;
