import { parseAddress } from '@countersign/protocol/address';
import { knownChain } from '@countersign/protocol/dashboard/chains';
import { usdcOn } from '@countersign/protocol/dashboard/usdc';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isUrl } from '@countersign/protocol/url';

export const services = ['gateway', 'dashboard', 'vault', 'control-plane'] as const;
export type Service = (typeof services)[number];

/** A person's answers. Empty: none. */
export type Answers = {
  readonly services: string;
  readonly dashboardUrl: string;
  readonly gatewayUrl: string;
  readonly vaultUrl: string;
  readonly controlPlaneUrl: string;
  readonly databaseUrl: string;
  readonly chainId: string;
  readonly rpcUrl: string;
  readonly operators: string;
  readonly owner: string;
  readonly paidServices: string;
  readonly auditOrigin: string;
};

export type Question = {
  readonly name: keyof Answers;
  readonly ask: string;
  readonly otherwise: string;
  /** Gives the answer as it is kept, or says in one clause what it may be. */
  readonly read: (text: string) => Result<string, string>;
  /** The variable that holds the answer, if the service that reads it has rules for it. */
  readonly variable?: string;
  /** The services of which one has to run here; none: always asked. */
  readonly of?: readonly Service[];
};

/** Which services an answer names. */
export const servicesIn = (answer: string): readonly Service[] => {
  const named = new Set(wordsOf(answer));
  return services.filter((service) => named.has(service));
};

const wordsOf = (answer: string): readonly string[] => answer.split(/[\s,]+/).filter((word) => word !== '');

/** The questions, in order. */
export const questions: readonly Question[] = [
  {
    name: 'services',
    ask: `Which services run on this machine? (${services.join(', ')})`,
    otherwise: 'gateway, dashboard',
    read: readServices,
  },
  {
    name: 'dashboardUrl',
    ask: 'Public address of the dashboard',
    otherwise: 'http://127.0.0.1:4021',
    read: readOrigin('http:', 'https:'),
  },
  {
    name: 'gatewayUrl',
    ask: 'Public address of the gateway',
    otherwise: 'http://127.0.0.1:4020',
    read: readOrigin('http:', 'https:'),
    of: ['gateway'],
  },
  {
    name: 'vaultUrl',
    ask: 'Public address of the vault',
    otherwise: 'http://127.0.0.1:4022',
    read: readOrigin('http:', 'https:'),
    of: ['vault'],
  },
  {
    name: 'controlPlaneUrl',
    ask: 'Public address of the control plane',
    otherwise: 'https://127.0.0.1:4023',
    read: readOrigin('https:'),
    of: ['control-plane'],
  },
  {
    name: 'databaseUrl',
    ask: 'URL of PostgreSQL (empty: each service runs a private one)',
    otherwise: '',
    read: orNone(readUrl('postgres:', 'postgresql:')),
    of: ['dashboard', 'vault', 'control-plane'],
  },
  {
    name: 'chainId',
    ask: 'Id of the chain that is paid on',
    otherwise: '8453',
    read: (text) => readChain(text),
  },
  {
    name: 'rpcUrl',
    ask: 'JSON-RPC node of that chain (empty: none)',
    otherwise: '',
    read: orNone(readUrl('http:', 'https:')),
    variable: 'EVM_RPC_URL',
  },
  {
    name: 'operators',
    ask: 'Wallets of the operators, who decide about people (empty: none yet)',
    otherwise: '',
    read: readAddresses,
    of: ['dashboard'],
  },
  {
    name: 'owner',
    ask: 'Wallet of the agent’s owner (empty: the gateway’s wallet is its own owner)',
    otherwise: '',
    read: orNone(readAddress),
    of: ['gateway'],
  },
  {
    name: 'paidServices',
    ask: 'Paid MCP services, id=url, comma-separated',
    otherwise: 'quotes=http://127.0.0.1:4026/mcp',
    read: readPaidServices,
    variable: 'DOWNSTREAM_MCP_URLS',
    of: ['gateway'],
  },
  {
    name: 'auditOrigin',
    ask: 'Permanent name of the audit log, host and path',
    otherwise: 'countersign.local/audit',
    read: (text) => readAuditOrigin(text),
    of: ['vault', 'control-plane'],
  },
];

function readServices(text: string): Result<string, string> {
  const known = servicesIn(text);
  const unknown = wordsOf(text).some((word) => !services.some((service) => service === word));
  return unknown || known.length === 0
    ? fail(`name one or more of ${services.join(', ')}`)
    : ok(known.join(', '));
}

function readOrigin(...protocols: readonly string[]): Question['read'] {
  return (text) => {
    const wanted = `an origin that begins with ${protocols.map((each) => `${each}//`).join(' or ')}, without a path`;
    if (!isUrl(text)) return fail(wanted);
    const { protocol, origin, href } = new URL(text);
    return protocols.includes(protocol) && `${origin}/` === href ? ok(origin) : fail(wanted);
  };
}

function readUrl(...protocols: readonly string[]): Question['read'] {
  return (text) => {
    const isGood = isUrl(text) && protocols.includes(new URL(text).protocol);
    return isGood
      ? ok(text)
      : fail(`a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`);
  };
}

/** A chain that screening knows by its name, and whose USDC the gateway knows. */
const readChain: Question['read'] = (text) =>
  /^\d{1,9}$/.test(text) && knownChain(text) !== null && usdcOn(Number(text)) !== null
    ? ok(text)
    : fail('the id of a chain that is known here, such as 8453 (Base) or 84532 (Base Sepolia)');

function readAddress(text: string): Result<string, string> {
  const address = parseAddress(text);
  return address === null ? fail('an address: 0x and 40 hex digits') : ok(address);
}

function readAddresses(text: string): Result<string, string> {
  const read = wordsOf(text).map((word) => parseAddress(word));
  return read.includes(null)
    ? fail('addresses, comma-separated: 0x and 40 hex digits each')
    : ok(read.join(','));
}

function readPaidServices(text: string): Result<string, string> {
  const entries = text.split(',').map((entry) => entry.trim());
  const isGood = (entry: string): boolean => {
    const url = /^(?:[A-Za-z0-9][\w.-]{0,63}=)?(https?:\/\/.+)$/.exec(entry)?.[1];
    return url !== undefined && isUrl(url);
  };
  return entries.every(isGood)
    ? ok(entries.join(','))
    : fail('entries such as quotes=https://quotes.example/mcp');
}

const readAuditOrigin: Question['read'] = (text) =>
  /^[^\s+]{1,200}$/.test(text) ? ok(text) : fail('a name without blanks and plus signs');

function orNone(read: Question['read']): Question['read'] {
  return (text) => (text === '' ? ok('') : read(text));
}
