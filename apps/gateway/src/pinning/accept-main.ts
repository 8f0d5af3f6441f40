import { existsSync } from 'node:fs';
import type { Env } from '@countersign/service/config';
import { stateDirOf } from '../receipts/state-dir.ts';
import { openPins, pinsFile, type WaitingTool } from './pins.ts';

/** `countersign gateway accept`: accepts changed tools, also of a gateway that is running. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  const [serviceId, toolName = null] = argv;
  if (serviceId === undefined || argv.length > 2 || argv.some((word) => word.startsWith('-'))) {
    process.stderr.write(
      'gateway accept: name a service, and one tool or none. Try "countersign gateway accept --help".\n',
    );
    process.exitCode = 2;
    return;
  }
  const dir = stateDirOf(env);
  if (!existsSync(pinsFile(dir)))
    throw new Error(`no gateway has run in ${dir}: is that its GATEWAY_STATE_DIR?`);
  const pins = openPins(dir);
  try {
    process.stdout.write(told(serviceId, toolName, await pins.accept(serviceId, toolName)));
  } finally {
    await pins.close();
  }
}

/** Returns the message to print; throws if nothing was done that was asked for. */
function told(serviceId: string, toolName: string | null, accepted: readonly WaitingTool[] | null): string {
  if (accepted === null) throw new Error(`service not found: "${serviceId}". list_gateway_services has ids.`);
  if (accepted.length > 0) return accepted.map((tool) => describe(serviceId, tool)).join('');
  if (toolName === null) return `no changed tool of ${serviceId} is waiting to be accepted\n`;
  throw new Error(`no changed tool "${toolName}" of ${serviceId} is waiting to be accepted`);
}

const describe = (serviceId: string, { name, changed, fingerprint, shown }: WaitingTool): string =>
  `accepted ${name} of ${serviceId}: ${changed.join(', ')} changed (sha256 ${fingerprint.hash})\n  ${shown}\n`;

const help = `countersign gateway accept SERVICE [TOOL]

The gateway remembers each tool of each service as it first saw it. It does not call a tool whose
name, title, description, schemas or annotations have changed since (TOOL_DEFINITION_CHANGED).
This command accepts the new definition of TOOL, or of all changed tools of SERVICE, and prints
it. A running gateway uses it from the next call.

Variables:
  GATEWAY_STATE_DIR   default .countersign/gateway

Examples:
  countersign gateway accept weather forecast
  countersign gateway accept weather
`;
