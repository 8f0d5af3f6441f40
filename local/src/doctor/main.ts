import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ok as done, type Result } from '@countersign/protocol/result';
import type { Env } from '@countersign/service/config';
import { readCardFile } from '../connection-card.ts';
import { hasVersion, missingParts, whereItIs } from '../heavy-parts.ts';
import { planPorts, takenIn } from '../port-plan.ts';
import { readPortBase } from '../start-options.ts';
import { type Finding, bad, note, ok } from './finding.ts';
import { folderFinding, nodeFinding, proxyFindings } from './machine.ts';
import { listFindings, nodeOfChainFinding, type Reach, releaseFindings, serviceFinding } from './reach.ts';

/** Examines the services' own variables, of which this package knows none. */
type ExamineServices = (env: Env) => Promise<readonly Finding[]>;

/** `countersign doctor`: exits with 0 when nothing is bad, with 1 otherwise. */
export async function main(
  argv: readonly string[],
  env: Env,
  examineServices: ExamineServices = async () => [],
): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) {
    process.stderr.write(`doctor: ${asked.error}. "countersign doctor --help" explains.\n`);
    process.exitCode = 2;
    return;
  }
  if (asked.value === null) return void process.stdout.write(help);
  const [machine, ofServices] = await Promise.all([
    examine(asked.value, env, { fetch, now: () => new Date() }),
    examineServices(env),
  ]);
  const findings = [...machine, ...ofServices];
  process.stdout.write(
    asked.value.json ? `${JSON.stringify({ findings }, null, 2)}\n` : findings.map(line).join(''),
  );
  process.exitCode = findings.some(({ outcome }) => outcome === 'bad') ? 1 : 0;
}

const marks = { ok: 'ok    ', note: 'note  ', bad: 'BAD   ' } as const;
const line = ({ outcome, what }: Finding): string => `${marks[outcome]}${what}\n`;

/** Services by the variables in which others name them. */
const services = ['COMPLIANCE_BASE_URL', 'VAULT_URL', 'FACILITATOR_URL'];

type Asked = { readonly dir: string; readonly portBase: number; readonly json: boolean };

/** Everything that can be told from here: the machine, and what the variables of the environment name. */
async function examine(
  { dir, portBase }: Omit<Asked, 'json'>,
  env: Env,
  reach: Reach,
): Promise<readonly Finding[]> {
  const urls = services.flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()] as const] : []));
  const named = urls.map(([name, url]) => serviceFinding(name, url, reach));
  const dashboard = env['COMPLIANCE_BASE_URL']?.trim();
  const rpc = env['EVM_RPC_URL']?.trim();
  const chain = rpc ? [nodeOfChainFinding(rpc, env['SETTLEMENT_CHAIN_ID']?.trim(), reach)] : [];
  return [
    nodeFinding(process.versions.node),
    folderFinding(dir),
    partsFinding(dir, env),
    await demoFinding(dir, portBase, reach),
    ...proxyFindings(env),
    ...(await Promise.all([...named, ...chain])),
    ...(await releaseFindings(urls, reach)),
    ...(dashboard ? await listFindings(dashboard, reach) : []),
  ];
}

function partsFinding(dir: string, env: Env): Finding {
  const missing = missingParts(dir, env);
  if (missing.length === 0) return ok('the demo’s parts are installed (chain, PostgreSQL, Chromium)');
  return !missing.every(hasVersion)
    ? note(`the demo ${whereItIs(missing)}`)
    : note(`the demo needs ${missing.join(', ')}: "npx countersign start --fetch" fetches them`);
}

/** The demo that runs, or whether one could start. */
async function demoFinding(dir: string, portBase: number, reach: Reach): Promise<Finding> {
  const card = readCardFile(resolve(dir));
  if (!card.ok) return bad(card.error);
  const dashboardUrl = card.value?.['dashboardUrl'];
  if (typeof dashboardUrl === 'string') return serviceFinding('the demo’s dashboard', dashboardUrl, reach);
  const taken = await takenIn(await planPorts(portBase));
  return taken === null
    ? ok('no demo runs here, and its ports are free')
    : note(`${taken}: "npx countersign start --port-base N" takes others`);
}

/** Null asks for the help. */
function readArguments(argv: readonly string[]): Result<Asked | null, string> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help === true) return done(null);
    const portBase = readPortBase(values['port-base']);
    if (!portBase.ok) return portBase;
    return done({
      dir: values.data ?? '.countersign',
      portBase: portBase.value,
      json: values.json === true,
    });
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = {
  data: { type: 'string' },
  'port-base': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const help = `countersign doctor [--data DIR] [--port-base N] [--json]

Checks this machine and the services that the environment configures, and suggests a fix for each
problem, one per line: Node, disk space, the demo's parts and ports; whether COMPLIANCE_BASE_URL,
VAULT_URL, FACILITATOR_URL and EVM_RPC_URL answer, on the right chain, with matching clocks and
release; the age of the sanctions list. For each service whose variables are set: invalid values,
weak or reused keys, balances, databases, and what sandboxes need from this machine. It changes
nothing and shows no secret.

  --data DIR      the demo's data directory (default .countersign)
  --port-base N   the demo's ports, N to N+19, as for "countersign start" (default 4020)
  --json          {"findings": [{"outcome": "ok" | "note" | "bad", "what": "…"}]}

Exit code: 0 no problem; 1 at least one problem; 2 wrong usage.

Examples:
  countersign --env .env doctor
  COMPLIANCE_BASE_URL=https://dashboard.example EVM_RPC_URL=https://node.example countersign doctor
`;
