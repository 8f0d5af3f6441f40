import type { Requirement } from '../requirement.ts';

/** The two processes, the trusted execution environment, attestation and keys. */
export const vaultEnclaveRequirements = [
  {
    id: 'vault.listen.address',
    source: 'page 3, Two processes',
    behaviour: 'countersign vault listens on http://127.0.0.1:4022; VAULT_HOST and VAULT_PORT change that.',
    status: 'tested',
  },
  {
    id: 'vault.listen.prefix',
    source: 'document 3, Versioning 1; document 3, Endpoints A',
    behaviour: 'Every vault endpoint but /health, /ready and /metrics has the prefix /api/v1.',
    status: 'tested',
  },
  {
    id: 'vault.listen.json',
    source: 'document 3, Endpoints A',
    behaviour: 'Requests and answers of the vault are JSON.',
    status: 'tested',
  },
  {
    id: 'vault.listen.open-paths',
    source: 'page 3, Two processes; document 3, Endpoints A',
    behaviour: '/health, /ready, /metrics, login, refresh and the attestation report need no token.',
    status: 'tested',
  },
  {
    id: 'vault.listen.bearer',
    source: 'document 3, Authentication 1',
    behaviour: 'Every other endpoint needs Authorization: Bearer <token>; without it 401 unauthorized.',
    status: 'tested',
  },
  {
    id: 'vault.listen.health',
    source: 'document 3, Endpoints A',
    behaviour: 'GET /health answers 200.',
    status: 'tested',
  },
  {
    id: 'vault.listen.ready',
    source: 'page 3, Two processes',
    behaviour: 'GET /ready tells the state of enclave, audit log and anchor publisher.',
    status: 'tested',
  },
  {
    id: 'vault.listen.metrics',
    source: 'page 3, Two processes',
    behaviour: 'GET /metrics answers Prometheus text.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.own-process',
    source: 'page 3, Two processes; document 3, What the service does 1',
    behaviour: 'The enclave is a process of its own, reached by the vault over a Unix socket only.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.closed-commands',
    source: 'page 3, Two processes',
    behaviour: 'An unknown or malformed command on the socket is refused and harms nothing.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.api-holds-no-key',
    source: 'page 3, Two processes',
    behaviour: 'The API process never holds a credential key.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.api-holds-no-plaintext',
    source: 'page 3, Two processes; document 3, What the service does 1',
    behaviour:
      'After create, decrypt and delete on the sealed path no copy of the secret is found in the memory of ' +
      'the API process.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.hardening',
    source: 'page 3, Two processes',
    behaviour:
      'The enclave runs with whatever isolation the machine offers: own user, no core dumps, no ptrace, ' +
      'namespaces.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.isolation-told',
    source: 'page 3, Two processes',
    behaviour: 'The attestation report tells which isolation the enclave has, and which it lacks.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.halves',
    source: 'page 3, Two processes',
    behaviour:
      'The core of the enclave ends with its launcher, however that ends, also where it is frozen; on SIGTERM with code ' +
      '0. A core that will not start ends the launcher with its exit code.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.restarted',
    source: 'issue 14, 6',
    behaviour:
      'A core that died, or has not answered for 5 s, is killed and followed by another on the same socket; its browsers ' +
      'and connectors end, its connections are closed. After three in a row that answered for less than 10 s the ' +
      'launcher ends with code 1.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.restarted.told',
    source: 'issue 14, 6',
    behaviour:
      '/ready says enclave: down where it does not answer within 2 s, and in enclave_restarts how often its core was ' +
      'started again.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.ends',
    source: 'issue 14, 6',
    behaviour:
      'SIGTERM ends launcher, core, browsers, egress proxy and connectors within 8 s, whichever of them is frozen; after ' +
      'a kill -9 of the launcher the next start has the log.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.deep-json',
    source: 'issue 14, 6',
    behaviour: 'A frame whose header is nested deeper than 128 levels ends its connection and harms nothing.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.bounded-work',
    source: 'issue 14, 6',
    behaviour:
      'What a script or a connector gives back is at most 64 or 128 levels deep, and an identity credential whose EIP-712 ' +
      'types would take seconds to hash is not checked.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.killed',
    source: 'page 3, Audit log',
    behaviour: 'A core that is killed amid openings has a record of each that it answered.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.reconnect',
    source: 'page 3, Two processes',
    behaviour:
      'When the enclave is gone calls on its socket fail at once, and they work again when it is back, without a restart.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.production',
    source: 'page 3, Two processes',
    behaviour:
      'With NODE_ENV=production and a simulated TEE the enclave does not start (exit code 2), unless ' +
      'ENCLAVE_ALLOW_SIMULATED_TEE=yes.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.chain-unreachable',
    source: 'page 3, Audit log',
    behaviour:
      'Told of an AuditAnchor (AUDIT_ANCHOR_ADDRESS, EVM_RPC_URL) that cannot be asked, the enclave does not ' +
      'start (exit code 1).',
    status: 'tested',
  },
  {
    id: 'vault.enclave.seccomp',
    source: 'page 3, Two processes',
    behaviour:
      'Under the seccomp filter no thread of the core opens a socket but a Unix one, starts a program or ' +
      'looks into another process.',
    status: 'tested',
  },
  {
    id: 'vault.keys.secret-memory',
    source: 'page 3, Keys',
    behaviour: 'Where the report says secretMemory, not even root reads the keys of a running enclave.',
    status: 'tested',
  },
  {
    id: 'vault.sealed.create',
    source: 'page 3, Two processes',
    behaviour:
      'sealed_data in place of plaintext_data is accepted at create: base64 of enc and ciphertext over the ' +
      'JSON text of the plaintext object.',
    status: 'tested',
  },
  {
    id: 'vault.sealed.suite',
    source: 'page 3, Two processes',
    behaviour:
      'sealed_data is HPKE (RFC 9180) to sealPublicKey: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, ' +
      'AES-256-GCM, base mode, info countersign-vault-v1.',
    status: 'tested',
  },
  {
    id: 'vault.sealed.decrypt',
    source: 'page 3, Two processes',
    behaviour:
      'decrypt with recipient_public_key (P-256 uncompressed, base64) answers sealed_data for that key in ' +
      'place of plaintext_data.',
    status: 'tested',
  },
  {
    id: 'vault.sealed.default',
    source: 'page 3, Two processes',
    behaviour: 'The SDK seals credentials by default.',
    status: 'tested',
  },
  {
    id: 'vault.sealed.default-console',
    source: 'page 3, Two processes',
    behaviour: 'The console seals credentials in the browser by default.',
    status: 'tested',
  },
  {
    id: 'vault.keys.per-use',
    source: 'document 3, What the service does 5; page 3, Keys',
    behaviour:
      'The key of a single decryption is derived on each use from root, tenant, credential and a random ' +
      'salt, and is never stored.',
    status: 'tested',
  },
  {
    id: 'vault.keys.aead',
    source: 'page 3, Keys',
    behaviour:
      'A credential is AES-256-GCM with tenant, credential id, service, type and version as associated data.',
    status: 'tested',
  },
  {
    id: 'vault.keys.row-moved',
    source: 'page 3, Keys',
    behaviour: 'A stored row copied to another tenant, credential, service or type fails to decrypt.',
    status: 'tested',
  },
  {
    id: 'vault.keys.ciphertext-only',
    source: 'document 3, What the service does 5',
    behaviour: 'Database and disk hold ciphertext only; no stored byte sequence contains a secret.',
    status: 'tested',
  },
  {
    id: 'vault.keys.wiped',
    source: 'document 3, What the service does 5; page 3, Keys',
    behaviour: 'Decrypted plaintext is wiped from memory right after its use, also when the use fails.',
    status: 'tested',
  },
  {
    id: 'vault.keys.rotate-root',
    source: 'page 3, Keys',
    behaviour:
      'After countersign vault rotate-root every credential decrypts as before; plaintext never left the ' +
      'enclave.',
    status: 'tested',
  },
  {
    id: 'vault.keys.rotate-audit-key',
    source: 'page 3, Audit log; page 3, Keys',
    behaviour:
      'After countersign vault rotate-audit-key records, checkpoints and the attestation report are of a new key, an ' +
      'export verifies with the old key as with the new, and the publisher goes on.',
    status: 'tested',
  },
  {
    id: 'vault.keys.rotate-audit-key.crash',
    source: 'page 3, Audit log; page 3, Keys',
    behaviour:
      'An enclave that is killed while the key of the log changes starts again with the old key or the new one; ' +
      'what was acknowledged is there.',
    status: 'tested',
  },
  {
    id: 'vault.keys.rotate-token-key',
    source: 'page 3, Keys; page 3, Users and tokens',
    behaviour:
      'After countersign vault rotate-token-key tokens are made under a new key and older ones count on; with --revoke ' +
      'they count no more, at each process after 10 seconds at the latest. Keys of webhooks and action tokens stay.',
    status: 'tested',
  },
  {
    id: 'vault.keys.rotate-seal-key',
    source: 'page 3, Keys; page 3, Two processes',
    behaviour:
      'After countersign vault rotate-seal-key the report names a new sealPublicKey, and what was sealed to an older one ' +
      'opens still; with --revoke it does not.',
    status: 'tested',
  },
  {
    id: 'vault.keys.threat-model',
    source: 'page 3, Keys',
    behaviour: 'docs/threat-model.md names what JavaScript cannot wipe.',
    status: 'tested',
  },
  {
    id: 'vault.enclave.frame-vectors',
    source: 'issue 17, 3',
    behaviour:
      'docs/spec/enclave-frame.md, its vectors and its list of commands are what goes over the socket of the enclave.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
