import type { Requirement } from '../requirement.ts';

/** Transport, keys, errors, credentials and connectors. */
export const controlPlaneAccessRequirements = [
  {
    id: 'control-plane.listen.address',
    source: 'page 3, Part B',
    behaviour: 'countersign control-plane listens on https://127.0.0.1:4023.',
    status: 'tested',
  },
  {
    id: 'control-plane.listen.prefix',
    source: 'document 3, Versioning 1',
    behaviour: 'Every control-plane path but /health has the prefix /v1.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.version',
    source: 'document 3, Authentication 2; page 3, Part B',
    behaviour: 'TLS 1.3 alone is accepted; a client offering TLS 1.2 at most fails the handshake.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.suites',
    source: 'document 3, Authentication 2; page 3, Part B',
    behaviour: 'Exactly TLS_AES_256_GCM_SHA384 and TLS_CHACHA20_POLY1305_SHA256 are accepted.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.configuration',
    source: 'page 3, Part B',
    behaviour:
      'CONTROL_TLS_CERT, CONTROL_TLS_KEY and CONTROL_TLS_CLIENT_CA give certificate, key and client CA.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.renewal',
    source: 'page 3, Part B',
    behaviour:
      'On SIGHUP new connections get the certificate, key and client CA that the files hold now; connections there ' +
      'are go on. Files that cannot be used change nothing, and the log says so.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.client-certificate',
    source: 'document 3, Authentication 2; page 3, Part B',
    behaviour:
      'An admin write (credentials, policies, bindings, connectors, webhooks, keys) without a client ' +
      'certificate of that CA is 403 client_certificate_required.',
    status: 'tested',
  },
  {
    id: 'control-plane.tls.client-certificate.and-key',
    source: 'page 3, Part B',
    behaviour: 'An admin write with a client certificate but without the admin key is refused.',
    status: 'tested',
  },
  {
    id: 'control-plane.health',
    source: 'document 3, Endpoints B; issue 16, line 8',
    behaviour:
      'GET /health answers 200 without a key; it says what protects the keys, SIMULATED where no hardware does, and when the ' +
      'server’s certificate ends.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.certificate',
    source: 'issue 16, line 8',
    behaviour:
      'A credential of type certificate is read when it is kept, sealed or not: certificate_expires_at tells until when it is valid, ' +
      'and what is no certificate in PEM is 400.',
    status: 'tested',
  },
  {
    id: 'control-plane.metrics',
    source: 'page 0, One command line',
    behaviour: 'GET /metrics answers Prometheus text.',
    status: 'tested',
  },
  {
    id: 'control-plane.attestation',
    source: 'document 3, Endpoints B',
    behaviour: 'GET /v1/attestation/report answers the quote of the TEE.',
    status: 'tested',
  },
  {
    id: 'control-plane.error.problem-details',
    source: 'page 3, Part B',
    behaviour: 'Errors are RFC 9457 problem details with code.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.bearer',
    source: 'document 3, Authentication 2',
    behaviour: 'Calls carry Authorization: Bearer <api_key>; without a known key they are 401.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.create',
    source: 'page 3, Part B',
    behaviour: 'countersign control-plane create-key --role admin|service|approver prints a key.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.recorded',
    source: 'page 3, Part B',
    behaviour:
      'create-key records key_created at once where the enclave is at hand, else before the first call of the key is ' +
      'answered; once for each key.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.revoke.executions',
    source: 'page 3, Part B; page 3, Executions',
    behaviour:
      'What a key asked for that was revoked before it ran ends cancelled with error key_revoked, recorded, and never runs.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.revoke',
    source: 'page 3, Part B',
    behaviour:
      'countersign control-plane revoke-key NAME ends a key at once at every process, and records key_revoked; ' +
      'list-keys tells all keys by name, none by its text.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.role.admin',
    source: 'page 3, Part B',
    behaviour: 'An admin key may do everything but decide about executions.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.role.service',
    source: 'page 3, Part B; document 3, Endpoints B',
    behaviour:
      'A service key may run executions and read metadata of credentials, audit and the rest; with a client ' +
      'certificate it may create credentials; it decides and writes nothing else.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.role.approver',
    source: 'page 3, Part B',
    behaviour: 'An approver key may decide, make batch authorizations and read.',
    status: 'tested',
  },
  {
    id: 'control-plane.key.tenant',
    source: 'page 3, Part B',
    behaviour: 'A key belongs to one tenant; things of other tenants are as if they did not exist.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.create',
    source: 'document 3, Endpoints B; document 3, Control-plane resources',
    behaviour:
      'POST /v1/vault/credentials takes namespace, label, type, sensitivity (integer), value, ' +
      'rotation_policy and tags (string map).',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.typed',
    source: 'document 3, Control-plane resources; document 3, Credential types',
    behaviour:
      'Where type is a credential type of the vault and value the JSON text of its fields, in the clear or sealed, each field is ' +
      'a placeholder of its own to browser connectors; of the other connectors http uses a username_password, postgres a ' +
      'database_connection.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.rotation-policy',
    source: 'document 3, Control-plane resources',
    behaviour: 'rotation_policy is {type, interval_days}, type scheduled for instance.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.reply',
    source: 'document 3, Control-plane resources',
    behaviour:
      'The reply has credential_id, namespace, label, sensitivity, created_at and fingerprint, and no ' +
      'plaintext.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.fingerprint',
    source: 'document 3, Control-plane resources',
    behaviour: 'fingerprint has the form sha256:<hex>; equal values of two credentials have different ones.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.list',
    source: 'document 3, Endpoints B',
    behaviour: 'GET /v1/vault/credentials lists metadata without plaintext.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.get',
    source: 'document 3, Endpoints B',
    behaviour: 'GET /v1/vault/credentials/:id answers metadata of one credential without plaintext.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.put-value',
    source: 'issue 16, line 7',
    behaviour:
      'PUT /v1/vault/credentials/:id/value by an admin with a certificate puts a new version in the place of the old one, ' +
      'sealed and recorded; what runs ends on what it began with, what is run later has the new one.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.rotation-due',
    source: 'issue 16, line 7',
    behaviour:
      'A scheduled rotation has a due date, which credential.rotation_due tells once, over restarts and several processes; ' +
      'GET /v1/vault/credentials?rotation=due lists what is due until a new value is in use.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.delete',
    source: 'issue 16, line 7',
    behaviour:
      'DELETE /v1/vault/credentials/:id deletes it with its ciphertext and records that; as long as a connector needs it, ' +
      'it is 409 credential_in_use naming the services.',
    status: 'tested',
  },
  {
    id: 'control-plane.credential.bind-policy',
    source: 'document 3, Endpoints B; page 3, Policies',
    behaviour: 'PATCH /v1/vault/policies/:credential_id {policy_id} binds a policy to a credential.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.create',
    source: 'page 3, Connectors',
    behaviour: 'POST /v1/connectors {service, type, credential_id?, safe_to_retry?, definition} answers 201.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.types',
    source: 'page 3, Connectors',
    behaviour: 'type of a connector is http, mcp-tool, browser or postgres.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.list',
    source: 'page 3, Connectors',
    behaviour: 'GET /v1/connectors lists connectors.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.delete',
    source: 'page 3, Connectors',
    behaviour: 'DELETE of a connector removes it; executions for its service are refused from then on.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.http.definition',
    source: 'page 3, Connectors',
    behaviour:
      'definition of an http connector is an OpenAPI 3.1 document with servers; action is an operationId ' +
      'of it.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.http.params',
    source: 'page 3, Connectors',
    behaviour: 'params fill path, query and header parameters by name; the rest is the JSON body.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.http.plain',
    source: 'page 3, Connectors',
    behaviour:
      'A document that says little will do: without requestBody the rest of params is the JSON body all the same, a ' +
      'placeholder of a path is filled though no parameter declares it, and without security the schemes it names are ' +
      'used where there is a credential.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.http.credential',
    source: 'page 3, Connectors',
    behaviour:
      'securitySchemes are filled from the credential by the broker of the enclave; the connector process ' +
      'never holds it.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.private-targets',
    source: 'page 3, Connectors',
    behaviour: 'Private targets are refused unless CONNECTOR_ALLOW_PRIVATE=1.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.tls',
    source: 'page 3, Connectors',
    behaviour:
      'Over https, and over TLS to a database, a service proves by a certificate of the public authorities or of CONNECTOR_CA ' +
      'that it is the one named, in TLS 1.2 or newer; one that does not is told nothing.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.mcp-tool',
    source: 'page 3, Connectors',
    behaviour: 'An mcp-tool connector calls the tool named by action with params.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.browser',
    source: 'page 3, Connectors',
    behaviour: 'A browser connector runs action in a sandbox session.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.browser.params',
    source: 'page 3, Connectors',
    behaviour:
      '{{params.<name>}} in a step stands for a member of params, in a script for its JSON text; no param brings in a ' +
      'placeholder of a credential.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.postgres',
    source: 'page 3, Connectors',
    behaviour: 'A postgres connector runs action on the database of its credential.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.sandbox',
    source: 'document 3, Limits 2; page 3, Connectors',
    behaviour: 'Each execution runs in one new sandbox that is never reused.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.died-while-ready',
    source: 'page 3, Connectors',
    behaviour:
      'A sandbox that died before anything was done in it is replaced once, and the execution goes on.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.memory',
    source: 'document 3, Limits 2; page 3, Connectors',
    behaviour: 'A connector that takes more than 512 MB is ended, and its execution fails.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.network',
    source: 'page 3, Connectors',
    behaviour: 'A connector has no network but the broker.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.drivers',
    source: 'page 3, Connectors',
    behaviour:
      'The sandbox is bubblewrap, or unshare without it; drivers for containers in clusters stand behind ' +
      'the same interface.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
