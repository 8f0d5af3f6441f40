import type { Requirement } from '../requirement.ts';

/** What npm users get: the packages that `npm run release` builds. */
export const systemPackageRequirements = [
  {
    id: 'system.packages.release',
    source: 'issue 20, 1',
    behaviour:
      'npm run release builds countersign, @countersign/sdk, @countersign/verify, @countersign/protocol and the bundle of the gateway into ' +
      'release/ with SHA-256 checksums of each and of server.json. It fails where a tarball has a file that is not expected, or is larger than its limit in docs/packages.md.',
    status: 'tested',
  },
  {
    id: 'system.packages.licences',
    source: 'issue 20, 1',
    behaviour:
      'THIRD_PARTY_LICENSES of countersign and @countersign/verify has name, version and licence of every package whose code, styles or ' +
      'fonts are in their bundles. Without a text the name of the licence stands; a package without either ends npm run release.',
    status: 'tested',
  },
  {
    id: 'system.packages.well-formed',
    source: 'issue 20, 1',
    behaviour: 'publint finds nothing in any of the packages, and attw nothing in the libraries.',
    status: 'tested',
  },
  {
    id: 'system.packages.types',
    source: 'issue 20, 1',
    behaviour:
      'A TypeScript program in another project compiles against the libraries with moduleResolution node16 and bundler.',
    status: 'tested',
  },
  {
    id: 'system.packages.browser',
    source: 'issue 20, 1',
    behaviour:
      'Bundled for a browser, @countersign/verify gives receipts and audit logs the verdicts that the command gives.',
    status: 'tested',
  },
  {
    id: 'system.packages.node',
    source: 'issue 20, 1 and 2',
    behaviour:
      'On Node 20, 22, 24 and 26 the packed command runs and verifies, and npm installs the packages, and a clone, without a warning of EBADENGINE.',
    status: 'tested',
  },
  {
    id: 'system.packages.parts',
    source: 'issue 20, 1',
    behaviour:
      'The packed command fetches the chain, PostgreSQL and Chromium only with start --fetch, into its data directory; where they are ' +
      'missing it says so in one line. Then start runs the story.',
    status: 'tested',
  },
  {
    id: 'system.release.signed',
    source: 'issue 20, 7',
    behaviour:
      'With --sign-key an Ed25519 key that its owner alone can read signs SHA256SUMS, as the commands in docs/packages.md verify, which also print its fingerprint; any other ' +
      'key, or wrong options, end it before anything is built, in one sentence without anything of the key.',
    status: 'tested',
  },
  {
    id: 'system.release.attested',
    source: 'issue 20, 3 and 7',
    behaviour:
      'A signed release, and each image that is built with --sign-key, has an in-toto statement with SLSA’s predicate about its files in an envelope of DSSE that the release’s key ' +
      'signed; the command in docs/packages.md prints what it says, and nothing of what another key signed or somebody changed.',
    status: 'tested',
  },
  {
    id: 'system.release.whole',
    source: 'issue 20, 7',
    behaviour:
      'npm run release of a clone also builds the documentation as a website and a bill of materials that holds by CycloneDX’s schema; two builds of a commit have the same checksums. A stranger with the ' +
      'folder and the public key verifies it by the commands in docs/packages.md and runs the story from it in an empty folder. With changes that no commit has, before the build or after it, or lines of the changelog that are not released, nothing is signed.',
    status: 'tested',
  },
  {
    id: 'system.release.folder',
    source: 'issue 20, 7',
    behaviour:
      'npm run release replaces an earlier release in its folder once the new one is whole, and nothing else: a folder with any file that the checksums there do not list, or with the key of ' +
      '--sign-key, is refused before anything is built, and stays as it is. What a killed run left is replaced.',
    status: 'tested',
  },
  {
    id: 'system.release.changelog',
    source: 'issue 20, 7',
    behaviour:
      'CHANGELOG.md has a section for each release with its date, the newest first, after what is unreleased.',
    status: 'tested',
  },
  {
    id: 'system.release.registry',
    source: 'issue 20, 5',
    behaviour:
      'server.json of a release is valid against the MCP registry’s schema: the gateway from npm, its variables with its state folder and secrets marked, and ' +
      'with --download-base the bundle with its SHA-256.',
    status: 'tested',
  },
  {
    id: 'system.bundle',
    source: 'issue 20, 5',
    behaviour:
      'The MCPB bundle is valid by the package @anthropic-ai/mcpb; unpacked, an MCP client runs the gateway from it with what a form says ' +
      'that marks the wallet’s key and the API key as secrets. What nobody filled in counts as unset. Licences of others’ code are in it.',
    status: 'tested',
  },
  {
    id: 'system.connect.clients',
    source: 'issue 20, 5',
    behaviour:
      'countersign connect claude-code, claude-desktop, cursor, vscode, codex or gemini writes the gateway and its token into the ' +
      'file that this client reads, in its shape; a new file is readable by its owner alone. It says what was written where, whether ' +
      'others can read it, and whether the client seems to be missing.',
    status: 'tested',
  },
  {
    id: 'system.connect.undo',
    source: 'issue 20, 5',
    behaviour:
      'The file as it was before the first connect stands beside it. connect --undo takes out what connect wrote, and nothing else: the ' +
      'entry of its name that was there before comes back, everything else that changed since then stays, and a file that connect made ' +
      'and that holds nothing else goes away. Where nobody changed the file since, it is the same to the byte. Where no entry that ' +
      'connect wrote stands, nothing is written, and the command exits with 1.',
    status: 'tested',
  },
  {
    id: 'system.connect.text',
    source: 'issue 20, 5',
    behaviour:
      'Settings are edited as text: comments, commas at the end, the spelling of numbers, the order of members, byte order mark and ' +
      'line ends stay.',
    status: 'tested',
  },
  {
    id: 'system.connect.left-alone',
    source: 'issue 20, 5',
    behaviour:
      'Before and after are parsed: where anything but our entry would differ, where the file cannot be read, where Codex has another ' +
      'server of the name, or where an entry of connect was changed since, nothing is written, and one line without the token says what ' +
      'to do. A file that somebody writes meanwhile stays as they wrote it. A link stays a link, and a file keeps its mode.',
    status: 'tested',
  },
  {
    id: 'system.doctor',
    source: 'issue 20, 6',
    behaviour:
      'countersign doctor checks Node, disk, the demo’s parts and ports, and whether the services and the node that the variables name ' +
      'answer, on the right chain and with a clock that agrees. It says what to do, shows no secret, and exits with 1 where something is bad; a taken port is not.',
    status: 'tested',
  },
  {
    id: 'system.wallet.new',
    source: 'issue 20, 6',
    behaviour:
      'countersign wallet new makes a random key in a new file of mode 0600, never over an existing file or link, and prints the ' +
      'address alone; with --print it prints the key and writes no file.',
    status: 'tested',
  },
  {
    id: 'system.wallet.show',
    source: 'issue 20, 6',
    behaviour:
      'countersign wallet show prints the address of EVM_PRIVATE_KEY, of a key’s file or one that is named, with its owner where ' +
      'OWNER_ADDRESS tells and what it holds where EVM_RPC_URL does; never a key, also not one that was given as an argument.',
    status: 'tested',
  },
  {
    id: 'system.migrate.check',
    source: 'issue 20, 6',
    behaviour:
      'countersign migrate --check lists the migrations that dashboard, vault and control plane would apply, those of the job queue ' +
      'too, and exits with 1; with 0 where there are none, and with 3 where a database does not answer. It only reads, and starts no ' +
      'private database.',
    status: 'tested',
  },
  {
    id: 'system.migrate.newer',
    source: 'issue 20, 6',
    behaviour:
      'Where a database has migrations that the program does not know, or others of the same name, migrate --check names them and ' +
      'exits with 3.',
    status: 'tested',
  },
  {
    id: 'system.init',
    source: 'issue 20, 6',
    behaviour:
      'countersign init asks which services run here, their public addresses, database, chain, node and wallets, or takes answers from a ' +
      'pipe or, with --defaults, the default of each. It writes them with new secrets and comments into .env (--out names another), mode 0600.',
    status: 'tested',
  },
  {
    id: 'system.init.starts',
    source: 'issue 20, 6',
    behaviour:
      'With what init wrote, read by countersign --env FILE, enclave, dashboard, vault, control plane and gateway start.',
    status: 'tested',
  },
  {
    id: 'system.config.database-url',
    source: 'issue 20, 6',
    behaviour:
      'Where DATABASE_URL or GATEWAY_DATABASE_URL is cut by a letter of its password, a service and doctor say to percent-encode it.',
    status: 'tested',
  },
  {
    id: 'system.cli.env',
    source: 'issue 20, 6',
    behaviour:
      'countersign --env FILE adds the variables of a file of text, those of the environment win; it tells when others on this machine ' +
      'can read the file. What is no text, a folder, missing, or a second --env ends it with 2, in one sentence.',
    status: 'tested',
  },
  {
    id: 'system.init.left-alone',
    source: 'issue 20, 6',
    behaviour:
      'init touches no file that exists. Where an answer is wrong or missing, or the file cannot be written, it writes nothing and says ' +
      'why in one line.',
    status: 'tested',
  },
  {
    id: 'system.doctor.keys',
    source: 'issue 20, 6',
    behaviour:
      'doctor names keys and tokens that are short, not random, known from test chains or used for two purposes, passwords of examples in ' +
      'URLs of databases, and files of keys that others can read; never their text.',
    status: 'tested',
  },
  {
    id: 'system.doctor.services',
    source: 'issue 20, 6',
    behaviour:
      'Of each service of which a variable is set, doctor says what that service would say of its variables at its start.',
    status: 'tested',
  },
  {
    id: 'system.doctor.balances',
    source: 'issue 20, 6',
    behaviour:
      'With EVM_RPC_URL doctor says what the gateway’s wallet and the publisher of the audit log hold; a publisher without coin is bad.',
    status: 'tested',
  },
  {
    id: 'system.doctor.lists',
    source: 'issue 20, 6',
    behaviour:
      'doctor says how old the dashboard’s sanctions list is: a note from 3 days on, bad where it lets no payment pass.',
    status: 'tested',
  },
  {
    id: 'system.doctor.versions',
    source: 'issue 20, 6',
    behaviour: 'doctor names services of another release than the program.',
    status: 'tested',
  },
  {
    id: 'system.doctor.databases',
    source: 'issue 20, 6',
    behaviour:
      'Of each service with a database that is set, doctor says what migrate --check says; one that the program cannot use is bad.',
    status: 'tested',
  },
  {
    id: 'system.doctor.isolation',
    source: 'issue 20, 6',
    behaviour:
      'doctor starts a process in namespaces as the enclave would, and looks for seccomp and cgroups; what is missing is bad only where ' +
      'the enclave is set up and SANDBOX_ISOLATION is not best.',
    status: 'tested',
  },
  {
    id: 'system.doctor.json',
    source: 'issue 20, 6',
    behaviour:
      'doctor --json prints {findings: [{outcome, what}]} with outcome ok, note or bad, and exits as without.',
    status: 'tested',
  },
  {
    id: 'system.cli.help.screen',
    source: 'issue 20, 6',
    behaviour:
      '--help of each command has at most 40 lines of 100 columns and two examples; of a service it lists the variables that are ' +
      'usually set, and --variables lists all.',
    status: 'tested',
  },
  {
    id: 'system.cli.completion',
    source: 'issue 20, 6',
    behaviour:
      'countersign completion bash, zsh or fish prints what makes this shell complete the words of every command.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
