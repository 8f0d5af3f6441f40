import type { Requirement } from '../requirement.ts';

/** What npm start brings up, shows and leaves behind. */
export const systemStartRequirements = [
  {
    id: 'system.start.fresh-machine',
    source: 'page 0, Two commands',
    behaviour:
      'On a machine with only Node 20.19 or newer and npm, npm ci && npm start brings the system up and ' +
      'runs the story; npm start itself needs no internet, no Docker and no account.',
    status: 'tested',
  },
  {
    id: 'system.start.chain',
    source: 'page 0, Two commands',
    behaviour: 'npm start runs a local EVM chain whose eth_chainId is 84532.',
    status: 'tested',
  },
  {
    id: 'system.start.chain-gate',
    source: 'issue 18, 4',
    behaviour:
      'rpcUrl of the local chain refuses what a page of a browser sends, by HTTP and WebSocket, and every Host but loopback (403); ' +
      'programs and extensions of wallets get through, by both.',
    status: 'tested',
  },
  {
    id: 'system.start.token',
    source: 'page 0, Two commands',
    behaviour:
      'The chain of npm start holds a USDC contract with 6 decimals and EIP-3009 ' +
      '(transferWithAuthorization) at 0x036CbD53842c5426634e7929541eC2318f3dCF7e, the address of USDC on ' +
      'Base Sepolia.',
    status: 'tested',
  },
  {
    id: 'system.start.anchor-contract',
    source: 'page 0, Two commands',
    behaviour: 'The chain of npm start holds AuditAnchor at the anchorAddress of the connection card.',
    status: 'tested',
  },
  {
    id: 'system.start.facilitator',
    source: 'page 0, Two commands',
    behaviour: 'npm start runs an x402 facilitator that verifies and settles payments on the local chain.',
    status: 'tested',
  },
  {
    id: 'system.start.sample-services',
    source: 'page 0, Two commands',
    behaviour:
      'npm start runs two paid sample MCP services: quotes over streamable HTTP and archive over SSE only.',
    status: 'tested',
  },
  {
    id: 'system.start.managed-postgresql',
    source: 'page 0, Two commands',
    behaviour: 'Without DATABASE_URL, npm start runs a managed PostgreSQL inside its data directory.',
    status: 'tested',
  },
  {
    id: 'system.start.dashboard',
    source: 'page 0, Two commands',
    behaviour: 'npm start runs the dashboard at the dashboardUrl of the connection card.',
    status: 'tested',
  },
  {
    id: 'system.start.console',
    source: 'page 0, Two commands',
    behaviour: 'The console is served at the path / of the dashboardUrl that npm start prints.',
    status: 'tested',
  },
  {
    id: 'system.start.vault-and-enclave',
    source: 'page 0, Two commands',
    behaviour:
      'npm start runs the vault at the vaultUrl of the connection card, with an enclave in a process of ' +
      'its own.',
    status: 'tested',
  },
  {
    id: 'system.start.control-plane',
    source: 'page 0, Two commands',
    behaviour: 'npm start runs the control plane at the controlPlaneUrl of the connection card.',
    status: 'tested',
  },
  {
    id: 'system.start.control-plane-ca',
    source: 'page 3, Part B',
    behaviour:
      'npm start makes a local certificate authority for the control plane; controlPlaneCa of the card is ' +
      'the path of its certificate.',
    status: 'tested',
  },
  {
    id: 'system.start.gateway-http',
    source: 'page 0, Two commands',
    behaviour:
      'npm start runs the gateway over HTTP at the gatewayUrl of the connection card, with both sample ' +
      'services connected.',
    status: 'tested',
  },
  {
    id: 'system.start.vault-user-printed-once',
    source: 'page 3, Users and tokens',
    behaviour: 'npm start makes one vault user and prints its name and password on the first start only.',
    status: 'tested',
  },
  {
    id: 'system.start.vault-user-not-locked',
    source: 'issue 14, 6',
    behaviour:
      'Failed log-ins, as many as they may be, stop no start and nobody who has the password that it made.',
    status: 'tested',
  },
  {
    id: 'system.start.sandbox-isolation-best',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'npm start runs the sandbox with SANDBOX_ISOLATION=best, so that it works on a machine without ' +
      'namespaces.',
    status: 'tested',
  },
  {
    id: 'system.start.sandbox-allow-private',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'npm start adds the address of its demo site to what SANDBOX_ALLOW_PRIVATE of the environment names.',
    status: 'tested',
  },
  {
    id: 'system.start.allow-private-targets',
    source: 'page 3, Part B, Connectors; page 3, Part B, Webhooks',
    behaviour: 'npm start sets CONNECTOR_ALLOW_PRIVATE=1 and WEBHOOK_ALLOW_PRIVATE=1 for the control plane.',
    status: 'tested',
  },
  {
    id: 'system.start.progress',
    source: 'page 0, Two commands',
    behaviour:
      'While starting, npm start prints for each part its name when it begins and how long it took when it ' +
      'is ready.',
    status: 'tested',
  },
  {
    id: 'system.start.prints-urls-and-waits',
    source: 'page 0, Two commands',
    behaviour: 'After the story npm start prints the URLs of every service and stays up.',
    status: 'tested',
  },
  {
    id: 'system.start.ctrl-c',
    source: 'page 0, Two commands',
    behaviour: 'Ctrl-C (SIGINT) to npm start ends every process it started.',
    status: 'tested',
  },
  {
    id: 'system.start.parent-killed',
    source: 'page 0, Two commands',
    behaviour: 'After kill -9 of npm start no process that it started goes on running.',
    status: 'tested',
  },
  {
    id: 'system.start.port-taken',
    source: 'page 0, Two commands',
    behaviour:
      'When a port is taken, npm start says so in one sentence that names the port, exits with 1 and ' +
      'leaves no process running.',
    status: 'tested',
  },
  {
    id: 'system.start.browser-missing',
    source: 'page 0, Two commands',
    behaviour:
      'When no browser can be had, npm start says so in one sentence, exits with 1 and leaves no process ' +
      'running.',
    status: 'tested',
  },
  {
    id: 'system.start.disk-full',
    source: 'page 0, Two commands',
    behaviour:
      'When the disk is full, npm start says so in one sentence, exits with 1 and leaves no process running.',
    status: 'tested',
  },
  {
    id: 'system.start.folder',
    source: 'issue 20, Bad input',
    behaviour:
      'Where nothing can be written to the data directory, npm start names it in one sentence with the option that names another, exits with 1 and ' +
      'leaves no process running.',
    status: 'tested',
  },
  {
    id: 'system.start.proxy',
    source: 'issue 20, Bad input',
    behaviour:
      'Where Node was told to ask a proxy for everything, npm start and doctor say in one sentence which variable makes an exception for this machine; other proxies are in nobody’s way.',
    status: 'tested',
  },
  {
    id: 'system.start.old-node',
    source: 'issue 20, Bad input',
    behaviour:
      'On a Node older than 20.19 every command ends with 1 and one sentence that says which to install; a clone whose packages are not all installed says to run npm ci.',
    status: 'tested',
  },
  {
    id: 'system.start.address',
    source: 'issue 20, Bad input',
    behaviour:
      'A service that is told to listen on an address that the machine does not have, such as one of IPv6, says so in one sentence with the addresses to use.',
    status: 'tested',
  },
  {
    id: 'system.start.data-flag',
    source: 'page 0, Two commands',
    behaviour: 'npm start -- --data DIR keeps all state in DIR; without the flag it is .countersign.',
    status: 'tested',
  },
  {
    id: 'system.start.port-base-flag',
    source: 'page 0, Two commands',
    behaviour:
      'npm start -- --port-base N puts every service on ports N to N+19; without the flag N is 4020.',
    status: 'tested',
  },
  {
    id: 'system.start.no-story-flag',
    source: 'page 0, Two commands',
    behaviour: 'npm start -- --no-story brings everything up, runs no story and stays up.',
    status: 'tested',
  },
  {
    id: 'system.start.story-flag',
    source: 'page 0, Two commands',
    behaviour:
      'npm start -- --story runs the story and then exits: 0 when the story succeeded, another code when ' +
      'it did not.',
    status: 'tested',
  },
  {
    id: 'system.start.environment-passed-on',
    source: 'page 0, Two commands',
    behaviour: 'Variables in the environment of npm start reach the services that it starts.',
    status: 'tested',
  },
  {
    id: 'system.start.state-survives',
    source: 'page 0, Two commands',
    behaviour:
      'A second start on the same data directory goes on where the first stopped: same accounts, mandates, ' +
      'log, chain height and balances.',
    status: 'tested',
  },
  {
    id: 'system.story.lists-services',
    source: 'page 0, Two commands',
    behaviour: 'The story connects a real MCP client to the gateway and prints the services it lists.',
    status: 'tested',
  },
  {
    id: 'system.story.free-call',
    source: 'page 0, Two commands',
    behaviour: 'The story calls a free tool and prints that nothing was paid.',
    status: 'tested',
  },
  {
    id: 'system.story.paid-call',
    source: 'page 0, Two commands',
    behaviour:
      'The story pays for one tool and prints the transaction hash and the balances of payer and payee ' +
      'before and after.',
    status: 'tested',
  },
  {
    id: 'system.story.over-limit',
    source: 'page 0, Two commands',
    behaviour: 'The story calls a tool above the per-transaction limit and prints WALLET_APPROVAL_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'system.story.approve-and-repeat',
    source: 'page 0, Two commands',
    behaviour:
      'The story approves the challenged call as the owner, calls again and prints that it was paid.',
    status: 'tested',
  },
  {
    id: 'system.story.behind-login',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The story lets an agent log in to the demo site with placeholders, shows that it reads a mask in place of the ' +
      'password, and a script that sends it away waiting until a person rejects it, and exports the orders behind the ' +
      'login; nothing that it prints holds the password. Where no browser can be had, the chapter is left out with a line that says so.',
    status: 'tested',
  },
  {
    id: 'system.story.audit',
    source: 'page 3, Audit log',
    behaviour:
      'The story has an auditor export the log and check it offline with countersign audit verify, and prints its ' +
      'exit code.',
    status: 'tested',
  },
  {
    id: 'system.story.under-policy',
    source: 'page 3, Part B',
    behaviour:
      'The story lets an agent order under a policy: a small order runs at once, a larger one once a person has ' +
      'approved it, one too large is denied; the proof bundle of what ran is checked offline.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
