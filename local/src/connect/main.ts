import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Env } from '@countersign/service/config';
import { z } from 'zod';
import { readCardFile } from '../connection-card.ts';
import { type Client, clients, type Gateway, settingsOf } from './clients.ts';
import { connect, disconnect } from './connect.ts';
import { snippet } from './edit.ts';

/** `countersign connect`: a client's settings name the gateway. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const asked = readArguments(argv);
  if (!asked.ok) return refuse(2, `${asked.error}. "countersign connect --help" explains.`);
  if (asked.value === 'help') return void process.stdout.write(help);
  const { client, dir, print, undo } = asked.value;
  const machine = { home: homedir(), platform: process.platform, env };
  const gateway = undo ? ok({ url: '', token: '' }) : gatewayOf(env, dir);
  if (!gateway.ok) return refuse(1, gateway.error);
  const settings = settingsOf(client, machine, gateway.value);
  if (print) return void process.stdout.write(`${settings.file}\n${snippet(settings.form, settings.entry)}`);
  const done = undo ? disconnect(settings) : connect(settings);
  if (!done.ok) return refuse(1, done.error);
  process.stdout.write(`${done.value}\n`);
}

function refuse(code: number, why: string): void {
  process.stderr.write(`connect: ${why.trimEnd()}\n`);
  process.exitCode = code;
}

type Asked = {
  readonly client: Client;
  readonly dir: string;
  readonly print: boolean;
  readonly undo: boolean;
};

function readArguments(argv: readonly string[]): Result<Asked | 'help', string> {
  const parsed = tryToParse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const client = clients.find((name) => name === positionals[0]);
  if (client === undefined || positionals.length > 1) return fail(`name one client: ${clients.join(', ')}`);
  const [print, undo] = [values.print === true, values.undo === true];
  if (print && undo) return fail('--print and --undo exclude each other');
  return ok({ client, dir: values.data ?? '.countersign', print, undo });
}

function tryToParse(argv: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...argv], options, allowPositionals: true }));
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const options = {
  data: { type: 'string' },
  print: { type: 'boolean' },
  undo: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const card = z.object({ gatewayUrl: z.string(), gatewayToken: z.string() });

/** The gateway that the variables name, or that of the demo that runs. */
function gatewayOf(env: Env, dir: string): Result<Gateway, string> {
  const [url, token] = [env['COUNTERSIGN_GATEWAY_URL']?.trim(), env['COUNTERSIGN_GATEWAY_TOKEN']?.trim()];
  if (url && token) return judged({ url, token });
  if (url || token) return fail('set both COUNTERSIGN_GATEWAY_URL and COUNTERSIGN_GATEWAY_TOKEN, or neither');
  const file = readCardFile(resolve(dir));
  if (!file.ok) return file;
  const found = card.safeParse(file.value);
  if (!found.success)
    return fail(
      `no gateway runs in ${resolve(dir)}: start it with "countersign start", or set COUNTERSIGN_GATEWAY_URL and COUNTERSIGN_GATEWAY_TOKEN`,
    );
  return judged({ url: found.data.gatewayUrl, token: found.data.gatewayToken });
}

/** Only addresses and tokens (RFC 6750, b64token) that mean themselves wherever a client puts them. */
function judged(gateway: Gateway): Result<Gateway, string> {
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./~-]*)?$/.test(gateway.url))
    return fail('COUNTERSIGN_GATEWAY_URL must be the http or https URL of a gateway, without query');
  return /^[\w.~+/-]+=*$/.test(gateway.token)
    ? ok(gateway)
    : fail('COUNTERSIGN_GATEWAY_TOKEN is not a token');
}

const help = `countersign connect CLIENT [--print | --undo] [--data DIR]

Adds the gateway and its token to the settings that CLIENT reads for all of your projects, and keeps
a copy of the file from before. CLIENT is one of:
${clients.join(', ')}.

  --print      only show the file's path and the entry to add
  --undo       remove the entry; other changes since then stay
  --data DIR   the data directory of a running demo (default .countersign)

For another gateway set COUNTERSIGN_GATEWAY_URL and COUNTERSIGN_GATEWAY_TOKEN.

Examples:
  countersign connect claude-code
  countersign connect cursor --undo
`;
