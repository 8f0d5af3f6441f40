// A credential goes into the vault sealed, and comes out sealed: the vault's API never sees it.
import { unwrap } from '@countersign/sdk/unwrap';
import { connectVault } from '@countersign/sdk/vault';
import { card, check } from './card.ts';

// In production, name the program that may have your secrets: { measurements: { mrtd: ['…'] } }.
const trust = { simulated: true };
const vault = connectVault({ url: card.vaultUrl, as: card.vaultUser, trust });

const { verdict, report } = await unwrap(vault.attest());
check(`the enclave says who it is: ${report.provider}, ${verdict}`, verdict !== 'bad');

const { id, fingerprint } = await unwrap(
  vault.createCredential({
    body: {
      service_id: 'github',
      credential_type: 'api_key',
      plaintext_data: { key: 'an API key that nobody else may know' },
      label: 'deploys',
    },
  }),
);
check(`kept as ${id}`, fingerprint.length > 0);

const opened = await unwrap(
  vault.decryptCredential({ params: { id }, body: { reason: 'deploy of 12 May' } }),
);
check('it comes back as it was', opened.plaintext_data['key'] === 'an API key that nobody else may know');

// Each access is in the log before the answer leaves the enclave.
const log = await unwrap(vault.queryAudit({ query: { credentialId: id } }));
check(
  'the access is on record',
  log.items.some(({ auditId }) => auditId === opened.audit_id),
);

// An agent gets a token that may do less, and ends by itself.
const { token } = await unwrap(
  vault.createToken({
    body: { name: 'lister', scopes: ['credential:read'], expires_in: 3600, credential_ids: [id] },
  }),
);
const agent = connectVault({ url: card.vaultUrl, as: { token } });
const tried = await agent.decryptCredential({ params: { id }, body: { reason: 'curious' } });
check('the agent may not open it', tried.kind === 'refused' && tried.code === 'insufficient_scope');

await unwrap(vault.deleteCredential({ params: { id } }));
await Promise.all([vault.close(), agent.close()]);
