import type { Requirement } from '../requirement.ts';

/** What every process of ours has in common: command line, storage, repository. */
export const systemServiceRequirements = [
  {
    id: 'system.test.everything',
    source: 'page 0, Two commands',
    behaviour: 'npm ci && npm test runs everything, from types to browser, and is what CI runs.',
    status: 'tested',
  },
  {
    id: 'system.cli.help',
    source: 'page 0, One command line',
    behaviour: 'countersign and every command of it answer --help with what they do and exit with 0.',
    status: 'tested',
  },
  {
    id: 'system.cli.payment-commands',
    source: 'page 0, One command line',
    behaviour: 'countersign knows start, gateway, dashboard and facilitator; each runs that service alone.',
    status: 'tested',
  },
  {
    id: 'system.cli.receipt',
    source: 'page 1, Dry run and receipts',
    behaviour: 'countersign knows receipt export and receipt verify.',
    status: 'tested',
  },
  {
    id: 'system.cli.compliance-import',
    source: 'page 0, One command line',
    behaviour: 'countersign knows compliance import.',
    status: 'tested',
  },
  {
    id: 'system.cli.vault-commands',
    source: 'page 0, One command line',
    behaviour: 'countersign knows vault and enclave; each runs that service alone.',
    status: 'tested',
  },
  {
    id: 'system.cli.verify-commands',
    source: 'page 0, One command line',
    behaviour: 'countersign knows audit verify and attest verify.',
    status: 'tested',
  },
  {
    id: 'system.cli.control-plane',
    source: 'page 0, One command line',
    behaviour: 'countersign knows control-plane, which runs that service alone.',
    status: 'tested',
  },
  {
    id: 'system.service.configuration-errors',
    source: 'page 0, One command line; page 1, Where it listens',
    behaviour:
      'A service with several wrong variables tells all of them at once on stderr, each by the name of the ' +
      'variable and what it may be, and exits with 2.',
    status: 'tested',
  },
  {
    id: 'system.service.sigterm',
    source: 'page 0, One command line',
    behaviour: 'On SIGTERM a service finishes the requests in flight and ends within 8 seconds.',
    status: 'tested',
  },
  {
    id: 'system.service.stays',
    source: 'page 0, One command line',
    behaviour:
      'A process that has nothing to do but to hear its signal stays until it is told to stop, and ends with code 0.',
    status: 'tested',
  },
  {
    id: 'system.service.slow-requests',
    source: 'issue 14, 6',
    behaviour:
      'A request whose headers or body have not arrived within 30 s is answered 408 and its connection closed; answers ' +
      'and WebSockets may take longer.',
    status: 'tested',
  },
  {
    id: 'system.service.json-limits',
    source: 'issue 14, 6',
    behaviour:
      'A JSON body nested deeper than 64 levels, or with more than 50,000 members and items, is 400 before it is parsed.',
    status: 'tested',
  },
  {
    id: 'system.service.query-parameters',
    source: 'issue 16, Control plane, line 6',
    behaviour:
      'Vault, dashboard and control plane refuse a query parameter that a route does not have, or that is given twice, and name it and ' +
      'the nearest; only who signs what they send is not asked about the address.',
    status: 'tested',
  },
  {
    id: 'system.service.silent-connections',
    source: 'page 0, One command line',
    behaviour: 'A connection over which no request came keeps a service that ends for a second at most.',
    status: 'tested',
  },
  {
    id: 'system.service.logs',
    source: 'page 0, One command line',
    behaviour: 'A service logs JSON lines on stderr when stderr is no terminal.',
    status: 'tested',
  },
  {
    id: 'system.service.logs-on-terminal',
    source: 'page 0, One command line',
    behaviour: 'A service logs for human readers when stderr is a terminal.',
    status: 'tested',
  },
  {
    id: 'system.service.logs-no-secret',
    source: 'page 0, One command line',
    behaviour: 'No log line of any service holds a private key, API key, token or credential value.',
    status: 'tested',
  },
  {
    id: 'system.service.trace',
    source: 'page 0, One command line',
    behaviour:
      'One call carries one trace id through every service by the header traceparent (W3C), and each ' +
      'service logs it.',
    status: 'tested',
  },
  {
    id: 'system.service.opentelemetry',
    source: 'page 0, One command line',
    behaviour:
      'With OTEL_EXPORTER_OTLP_ENDPOINT set, services export OpenTelemetry traces there; without it they ' +
      'export nothing.',
    status: 'tested',
  },
  {
    id: 'system.service.opentelemetry.no-secrets',
    source: 'page 0, One command line',
    behaviour:
      'A span holds no key, token or credential and no argument of a tool; the amount of a payment it does hold.',
    status: 'tested',
  },
  {
    id: 'system.service.opentelemetry.harmless',
    source: 'page 0, One command line',
    behaviour:
      'A collector of traces that is away or never answers changes no answer, and holds up a stop for about a ' +
      'second at most.',
    status: 'tested',
  },
  {
    id: 'system.service.stateless',
    source: 'page 0, Storage',
    behaviour:
      'Several processes of one service behind a load balancer answer like one; none keeps state that ' +
      'another needs.',
    status: 'tested',
  },
  {
    id: 'system.service.one-at-a-time',
    source: 'page 0, Storage',
    behaviour:
      'Work for one at a time (anchor publisher, sweepers) is done by exactly one of many processes, and ' +
      'by another once that one dies.',
    status: 'tested',
  },
  {
    id: 'system.storage.database-url',
    source: 'page 0, Storage',
    behaviour:
      'With DATABASE_URL a service keeps its records in that PostgreSQL (15 or newer), shared by any ' +
      'number of processes, and starts no database of its own.',
    status: 'tested',
  },
  {
    id: 'system.storage.managed-private',
    source: 'page 0, Storage',
    behaviour:
      'The managed PostgreSQL has mode 0700, listens on loopback or a socket only, takes a random password ' +
      'and runs with fsync on.',
    status: 'tested',
  },
  {
    id: 'system.storage.managed-orphan',
    source: 'page 0, Storage',
    behaviour:
      'A managed PostgreSQL that outlived its killed parent is adopted or stopped by the next start; the ' +
      'next start succeeds.',
    status: 'tested',
  },
  {
    id: 'system.storage.migrations-forward-only',
    source: 'page 0, Storage',
    behaviour:
      'Migrations are plain .sql files that are applied once, in order; a file changed after it was ' +
      'applied stops the start (checksum).',
    status: 'tested',
  },
  {
    id: 'system.storage.migrations-keep-rows',
    source: 'page 0, Storage',
    behaviour:
      'The vault starts on a database that its earlier version filled: rows, pauses and places mean what they meant.',
    status: 'tested',
  },
  {
    id: 'system.storage.migrations-among-others',
    source: 'page 0, Storage',
    behaviour:
      'A migration that processes still at work hold up, or that was in a deadlock with one, is tried five times, told once; then the start fails with its name and the reason.',
    status: 'tested',
  },
  {
    id: 'system.storage.migrations-locked',
    source: 'page 0, Storage',
    behaviour:
      'Two processes that start on one empty database at once both come up; each migration was applied once.',
    status: 'tested',
  },
  {
    id: 'system.storage.gateway-lmdb',
    source: 'page 0, Storage; page 1, Further configuration',
    behaviour: 'Several gateway processes on one machine share one GATEWAY_STATE_DIR safely.',
    status: 'tested',
  },
  {
    id: 'system.storage.gateway-postgresql',
    source: 'page 0, Storage; page 1, Further configuration',
    behaviour:
      'The gateway store behaves alike on LMDB and, with GATEWAY_DATABASE_URL, on PostgreSQL: one contract ' +
      'suite passes on both.',
    status: 'tested',
  },
  {
    id: 'system.repository.imports-one-way',
    source: 'page 0, Layout',
    behaviour:
      'A test fails on an import against the order packages, apps, then cli and local, then conformance, ' +
      'examples, bench and simulation.',
    status: 'tested',
  },
  {
    id: 'system.simulation.money',
    source: 'issue 17, 4',
    behaviour:
      'Whatever the order of events, and whatever is lost, late, doubled, cancelled, repeated or crashes: the gateway’s ' +
      'own code never lets more be taken than the owner signed, pays once for a key and an approval, and loses no record.',
    status: 'tested',
  },
  {
    id: 'system.simulation.replay',
    source: 'issue 17, 4',
    behaviour: 'A seed of the simulation is the same steps each time, alone or beside others.',
    status: 'tested',
  },
  {
    id: 'system.simulation.finds',
    source: 'issue 17, 4',
    behaviour:
      'Each bug of issue 15 about money, put back, is found within 3000 seeds by what it breaks, on a seed that is whole ' +
      'without it.',
    status: 'tested',
  },
  {
    id: 'system.repository.apps-apart',
    source: 'page 0, Layout',
    behaviour: 'A test fails when one app imports another.',
    status: 'tested',
  },
  {
    id: 'system.repository.rooms-apart',
    source: 'issue 17, 1',
    behaviour:
      'A test fails when the dashboard’s adapters import its compliance, or compliance its adapters, and when what reads schemas in the control ' +
      'plane imports its connectors, which use it.',
    status: 'tested',
  },
  {
    id: 'system.repository.no-circles',
    source: 'issue 17, 1',
    behaviour:
      'A test fails when modules of the control plane, the dashboard, the gateway, the vault, the protocol or the audit log import each other in a circle, types too.',
    status: 'tested',
  },
  {
    id: 'system.repository.protocol-pure',
    source: 'page 0, Layout',
    behaviour: 'A test fails when packages/protocol imports an I/O module or reads the clock.',
    status: 'tested',
  },
  {
    id: 'system.repository.requirements-covered',
    source: 'page 0, Layout',
    behaviour:
      'A test fails on a requirement that has neither a test citing its id nor an issue that plans it, and ' +
      'on a test citing an unknown id.',
    status: 'tested',
  },
  {
    id: 'system.repository.console-no-circles',
    source: 'issue 17, 1',
    behaviour: 'Modules of the console import each other one way, types too.',
    status: 'tested',
  },
  {
    id: 'system.repository.specification',
    source: 'issue 17, 3',
    behaviour:
      'docs/spec has every statement with links to the tests that show it; a page that is not what the requirements ' +
      'say now fails.',
    status: 'tested',
  },
  {
    id: 'system.repository.contract-artifacts',
    source: 'page 0, Layout',
    behaviour: 'The compiled artifacts of contracts/ are committed and equal what the sources compile to.',
    status: 'tested',
  },
  {
    id: 'system.repository.examples-run',
    source: 'page 0, Layout',
    behaviour: 'Every program in examples/ runs in CI and exits with another code than 0 on a wrong result.',
    status: 'tested',
  },
  {
    id: 'system.repository.bench-side-by-side',
    source: 'page 0, Layout',
    behaviour: 'npm run bench prints our figures and those of the peers or limits from one and the same run.',
    status: 'tested',
  },
  {
    id: 'system.repository.bench-broken',
    source: 'issue 15, Numbers',
    behaviour:
      'A benchmark some of whose calls failed says of which row, how many and why, ends with exit code 1 and saves ' +
      'nothing.',
    status: 'tested',
  },
  {
    id: 'system.repository.bench-builds',
    source: 'issue 19, Numbers',
    behaviour:
      'Every benchmark builds, and with it each service of which parts are replaced to compare ours with: a part that ' +
      'lacks what others import of it, or that no longer replaces anything, fails npm run check.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
