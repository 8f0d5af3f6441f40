import type { Requirement } from '../requirement.ts';

/** Credentials: their types, creation, reading, decryption and deletion. */
export const vaultCredentialRequirements = [
  {
    id: 'vault.credential.create',
    source: 'document 3, Endpoints A; page 3, Credentials',
    behaviour:
      'POST /api/v1/credentials {service_id, credential_type, plaintext_data} with credential:write ' +
      'answers 201 {id, service_id, credential_type, label?, created_at, expires_at, fingerprint}.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.id',
    source: 'document 3, Credential (vault)',
    behaviour: 'The id of a credential is a UUID.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.optional',
    source: 'page 3, Credentials',
    behaviour: 'create takes label, expires_at, allowed_urls, fill_mode and metadata, all optional.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.fill-mode',
    source: 'page 3, Credentials',
    behaviour: 'fill_mode is network, dom or auto; network if absent.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.unknown-type',
    source: 'page 3, Credentials',
    behaviour: 'An unknown credential_type is 400 invalid_request naming the field.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.missing-field',
    source: 'page 3, Credentials',
    behaviour: 'A missing field of plaintext_data is 400 invalid_request naming the field.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.unknown-field',
    source: 'page 3, Credentials',
    behaviour: 'An unknown field of plaintext_data is 400 invalid_request naming the field.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.error-without-value',
    source: 'page 3, Credentials',
    behaviour: 'No error of create repeats a value of plaintext_data.',
    status: 'tested',
  },
  {
    id: 'vault.credential.fingerprint',
    source: 'page 3, Credentials',
    behaviour:
      'fingerprint is keyed for each credential: a plain hash of the secret does not equal it, and equal secrets of two ' +
      'credentials have different ones.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.username-password',
    source: 'document 3, Credential types',
    behaviour: 'username_password needs username and password.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.api-key',
    source: 'document 3, Credential types',
    behaviour: 'api_key needs key; secret is optional.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.oauth-token',
    source: 'document 3, Credential types',
    behaviour: 'oauth_token needs refresh_token.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.certificate',
    source: 'document 3, Credential types',
    behaviour: 'certificate needs certificate (PEM); private_key is optional.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.ssh-key',
    source: 'document 3, Credential types',
    behaviour: 'ssh_key needs ssh_key.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.database-connection',
    source: 'document 3, Credential types',
    behaviour: 'database_connection needs host, port, database, username and password.',
    status: 'tested',
  },
  {
    id: 'vault.credential.type.identity-credential',
    source: 'document 3, Credential types',
    behaviour:
      'identity_credential needs credential_json and did; zk_proof and credential_type are optional strings.',
    status: 'tested',
  },
  {
    id: 'vault.credential.identity.shape',
    source: 'document 3, Credential types; page 3, Credentials',
    behaviour:
      'credential_json is a W3C credential with @context, type, issuer, issuanceDate, credentialSubject ' +
      'and proof; did is a string. The record of its use tells when one of them is missing.',
    status: 'tested',
  },
  {
    id: 'vault.credential.identity.checked-at-use',
    source: 'page 3, Credentials',
    behaviour: 'Shape, dates and proof of an identity_credential are checked at use.',
    status: 'tested',
  },
  {
    id: 'vault.credential.identity.eddsa',
    source: 'page 3, Credentials',
    behaviour: 'A proof of suite eddsa-jcs-2022 with did:key is verified; a false one is refused.',
    status: 'tested',
  },
  {
    id: 'vault.credential.identity.eip712',
    source: 'page 3, Credentials',
    behaviour:
      'A proof of suite EthereumEip712Signature2021 with did:ethr is verified; a false one is refused.',
    status: 'tested',
  },
  {
    id: 'vault.credential.identity.unchecked',
    source: 'page 3, Credentials',
    behaviour: 'A proof of another suite is told as unchecked.',
    status: 'tested',
  },
  {
    id: 'vault.credential.list',
    source: 'document 3, Endpoints A; page 3, Credentials',
    behaviour: 'GET /api/v1/credentials answers {items, total}, metadata without plaintext.',
    status: 'tested',
  },
  {
    id: 'vault.credential.list.filters',
    source: 'page 3, Credentials',
    behaviour: 'service_id and credential_type filter the list.',
    status: 'tested',
  },
  {
    id: 'vault.credential.list.limit',
    source: 'page 3, Credentials',
    behaviour: 'limit is 50 if absent and at most 200; offset skips.',
    status: 'tested',
  },
  {
    id: 'vault.credential.get',
    source: 'document 3, Endpoints A',
    behaviour: 'GET /api/v1/credentials/:id answers the metadata of one credential, without plaintext.',
    status: 'tested',
  },
  {
    id: 'vault.credential.delete',
    source: 'document 3, Endpoints A',
    behaviour:
      'DELETE /api/v1/credentials/:id with credential:write deletes it; from then on it is 404 not_found.',
    status: 'tested',
  },
  {
    id: 'vault.credential.put-value',
    source: 'issue 16, line 7',
    behaviour:
      'PUT /api/v1/credentials/:id/value with credential:write puts a new value of the same type in the place of the old ' +
      'one and records that; the next operation has it, one that is under way ends on the old one.',
    status: 'tested',
  },
  {
    id: 'vault.credential.decrypt',
    source: 'document 3, Endpoints A; page 3, Credentials',
    behaviour:
      'POST /api/v1/credentials/:id/decrypt {reason} with credential:decrypt answers {id, plaintext_data, ' +
      'audit_id}.',
    status: 'tested',
  },
  {
    id: 'vault.credential.decrypt.reason',
    source: 'page 3, Credentials',
    behaviour: 'reason is required and has 1 to 500 characters; otherwise 400 invalid_request.',
    status: 'tested',
  },
  {
    id: 'vault.credential.decrypt.expired',
    source: 'document 3, Errors; page 3, Credentials',
    behaviour: 'decrypt of a credential past expires_at is 422 credential_expired.',
    status: 'tested',
  },
  {
    id: 'vault.credential.decrypt.recorded',
    source: 'document 3, Audit record',
    behaviour: 'Each decryption leaves a record credential_access, named by audit_id of the answer.',
    status: 'tested',
  },
  {
    id: 'vault.credential.tenant-isolation',
    source: 'page 3, Credentials; document 3, What the service does 5',
    behaviour: 'A credential of another tenant is 404 not_found for every method and stands in no list.',
    status: 'tested',
  },
  {
    id: 'vault.credential.create.allowed-urls',
    source: 'page 3, Credentials',
    behaviour:
      'allowed_urls of a credential have the form of those of sessions, and are kept in one spelling; else 400.',
    status: 'tested',
  },
  {
    id: 'vault.credential.uses',
    source: 'issue 14, point 4',
    behaviour:
      'GET /api/v1/credentials/:id/uses (credential:read) lists the places where a credential was allowed: origin, path, ' +
      'method, field, who allowed it and when. A place is kept once, and goes with its credential.',
    status: 'tested',
  },
  {
    id: 'vault.credential.uses.revoke',
    source: 'issue 14, point 4',
    behaviour:
      'DELETE /api/v1/credentials/:id/uses/:use_id (credential:write) revokes a place; it holds at the next operation, ' +
      'in sessions that were opened before too. 404 for one that is not there.',
    status: 'tested',
  },
  {
    id: 'vault.credential.allowed-urls.change',
    source: 'issue 14, point 4',
    behaviour:
      'PATCH /api/v1/credentials/:id (credential:write) says allowed_urls anew; it holds at the next operation.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
