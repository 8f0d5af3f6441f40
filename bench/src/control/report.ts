import { verdict } from '../free-call-report.ts';
import { quantile } from '../load.ts';
import { number, table } from '../table.ts';
import type { ExecutionData, QueueData } from './executions.ts';
import type { FanOutData } from './fan-out.ts';
import type { PolicyData } from './policies.ts';

const row = (name: string, sorted: readonly number[]) => [
  name,
  String(sorted.length),
  ...[0.5, 0.99, 1].map((q) => number(sorted.length === 0 ? Number.NaN : quantile(sorted, q))),
];
const milliseconds = (rows: readonly string[][]): string =>
  table(['ms', 'times', 'p50', 'p99', 'longest'], rows);

const targets = { decision: 1, execution: 150, perMinuteAndCore: 200, fanOut: 100 };

export const reportPolicies = ({ decisions, bare }: PolicyData): string =>
  [
    '## Policy decisions',
    '',
    'By a tenant with 500 policies. Each decision is made in two passes, without and with a person, and looks at the',
    'condition of its policy besides. In the process: from the params to the verdict, as the control plane itself took its time.',
    'Over HTTP: POST /v1/policies/:id/explain with TLS, the key and the version looked up; beside it GET /health over the',
    'same connection, which looks up nothing.',
    '',
    milliseconds(decisions.map(({ name, inside }) => row(`in the process: ${name}`, inside))),
    '',
    milliseconds([
      ...decisions.map(({ name, overHttp }) => row(`over HTTP: ${name}`, overHttp)),
      row('GET /health', bare),
    ]),
    '',
    ...decisions.map(({ name, inside }) =>
      below('p99', quantile(inside, 0.99), targets.decision, `decision in the process, ${name}`),
    ),
  ].join('\n');

export const reportExecutions = ({ sync, jail }: ExecutionData): string =>
  [
    '## An execution that does nothing',
    '',
    'A sync execution by an http connector to a service that answers at once: policy twice, token, three durable audit',
    'records, a sandbox of its own, receipt. Beside it the bare start and end of Node in new namespaces.',
    '',
    milliseconds([row('execution', sync), row('bare jail and node', jail)]),
    '',
    below('p50', quantile(sync, 0.5), targets.execution, 'execution'),
  ].join('\n');

export const reportQueue = ({ asked, completed, reached, seconds, cores }: QueueData): string => {
  const perMinute = (completed * 60) / seconds;
  const each = perMinute / cores;
  return [
    '## Async executions',
    '',
    `${asked} asked for at once. ${completed} completed, the service was reached ${reached} times, in ${number(seconds)} s:`,
    `${number(perMinute)} a minute, ${number(each)} a minute and core (${cores} cores, all processes and the`,
    'database on them).',
    '',
    verdict(
      each >= targets.perMinuteAndCore,
      `${number(each)} a minute and core (at least ${targets.perMinuteAndCore})`,
    ),
  ].join('\n');
};

export const reportFanOut = ({ fast, slow, dead }: FanOutData): string =>
  [
    '## Webhooks beside a slow and a dead receiver',
    '',
    'From the event to a receiver that answers at once, while another takes 2 s for each answer, and a third one never',
    `answers (they had got ${slow} and ${dead} by then).`,
    '',
    milliseconds([row('fast receiver', fast)]),
    '',
    below('p50', quantile(fast, 0.5), targets.fanOut, 'fast receiver'),
  ].join('\n');

const below = (what: string, value: number, target: number, name: string): string =>
  verdict(value < target, `${name}: ${what} ${number(value)} ms (below ${target})`);
