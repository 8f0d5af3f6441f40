import { expect, test } from 'vitest';
import { readConfig, variables } from './config.ts';

test('an empty environment is a whole configuration', () => {
  expect(readConfig({})).toEqual({
    ok: true,
    value: {
      host: '127.0.0.1',
      port: 4021,
      publicUrl: null,
      otherOrigins: [],
      storage: { kind: 'managed', directory: '.countersign' },
      chainId: 8453,
      chainIsLocal: false,
      rpcUrl: null,
      vaultUrl: null,
      signInKey: null,
      controlPlane: null,
      operators: new Set(),
      kyc: { provider: 'review-queue' },
      kyb: null,
      review: { validDays: 365, fourEyes: false },
      kyt: { providers: [{ provider: 'ofac-sdn' }], require: 'all', rejectAt: 'high' },
      evidenceKey: { kind: 'file', path: '.countersign/evidence.key' },
      kycRetentionDays: 90,
      recovery: { changeMs: 7 * 24 * 60 * 60_000, claimMs: 48 * 60 * 60_000 },
      oauth: false,
      providerLogin: null,
      providerAwayMs: 30 * 24 * 60 * 60_000,
      limits: { logins: 30, requests: 1200 },
      exportsTraces: false,
      logLevel: 'info',
    },
  });
});

test('every error is told at once, and no secret with it', () => {
  const config = readConfig({
    DASHBOARD_PORT: '70000',
    DASHBOARD_PUBLIC_URL: 'https://pay.example.com/path',
    DASHBOARD_OTHER_ORIGINS: 'https://pay.example.org, pay.example.net',
    DATABASE_URL: 'mysql://user:hunter2@db',
    SETTLEMENT_CHAIN_ID: '0x1',
    SETTLEMENT_CHAIN_IS_LOCAL: 'maybe',
    EVM_RPC_URL: 'ws://node',
    OPERATOR_ADDRESSES: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,nobody',
    KYC_PROVIDER: 'a-friend',
    KYT_PROVIDER: 'ofac-sdn,a-friend',
    RATE_LIMIT_LOGINS: '0',
    LOG_LEVEL: 'loud',
  });
  if (config.ok) throw new Error('must fail');
  expect(config.error.map((line) => line.split(' ')[0])).toEqual([
    'DASHBOARD_PORT',
    'DASHBOARD_PUBLIC_URL',
    'DASHBOARD_OTHER_ORIGINS',
    'DATABASE_URL',
    'SETTLEMENT_CHAIN_ID',
    'SETTLEMENT_CHAIN_IS_LOCAL',
    'EVM_RPC_URL',
    'OPERATOR_ADDRESSES',
    'KYC_PROVIDER',
    'KYT_PROVIDER',
    'RATE_LIMIT_LOGINS',
    'LOG_LEVEL',
  ]);
  expect(config.error).toContain('KYC_PROVIDER must be one of review-queue, sumsub, persona');
  expect(config.error).toContain(
    'KYT_PROVIDER must be one of ofac-sdn, sanctions-oracle, chainalysis, trm, elliptic',
  );
  expect(config.error.join()).not.toContain('hunter2');
});

test('a chosen provider is asked for all it needs at once, another for nothing [dashboard.provider.configuration]', () => {
  const missing = (env: Record<string, string>) => {
    const config = readConfig(env);
    return config.ok ? [] : config.error.map((line) => line.split(' ')[0]);
  };
  expect(
    missing({ KYC_PROVIDER: 'sumsub', KYT_PROVIDER: 'elliptic, trm,chainalysis,sanctions-oracle' }),
  ).toEqual([
    'SUMSUB_APP_TOKEN',
    'SUMSUB_SECRET_KEY',
    'SUMSUB_LEVEL',
    'SANCTIONS_ORACLE_RPC_URL',
    'CHAINALYSIS_API_KEY',
    'TRM_API_KEY',
    'ELLIPTIC_KEY',
    'ELLIPTIC_SECRET',
  ]);
  expect(missing({ KYC_PROVIDER: 'persona' })).toEqual(['PERSONA_API_KEY', 'PERSONA_TEMPLATE_ID']);
  expect(missing({ KYT_PROVIDER: 'ofac-sdn,ofac-sdn' })).toEqual(['KYT_PROVIDER']);
});

test('providers keep the order in which they are named, and where their keys go', () => {
  const config = readConfig({
    KYT_PROVIDER: 'trm,ofac-sdn',
    KYT_REQUIRE: 'any',
    KYT_REJECT_AT: 'medium',
    TRM_API_KEY: 'key',
    TRM_URL: 'http://127.0.0.1:1234/eu',
  });
  expect(config).toMatchObject({
    value: {
      kyt: {
        providers: [
          { provider: 'trm', apiKey: 'key', url: new URL('http://127.0.0.1:1234/eu') },
          { provider: 'ofac-sdn' },
        ],
        require: 'any',
        rejectAt: 'medium',
      },
      evidenceKey: { kind: 'file', path: '.countersign/evidence.key' },
    },
  });
});

test('keys leave this machine by TLS alone [dashboard.provider.configuration]', () => {
  const errorsOf = (TRM_URL: string) => {
    const config = readConfig({ KYT_PROVIDER: 'trm', TRM_API_KEY: 'hunter2', TRM_URL });
    return config.ok ? [] : config.error;
  };
  expect(errorsOf('https://api.trmlabs.com')).toEqual([]);
  for (const url of ['http://api.trmlabs.com', 'https://me:hunter2@api.trmlabs.com', 'ftp://x', 'nowhere']) {
    expect(errorsOf(url)).toEqual([expect.stringMatching(/^TRM_URL must be a URL that begins with https:/)]);
  }
});

test('a database that others share needs a key of evidence that they share too', () => {
  const keyOf = (env: Record<string, string>) => {
    const config = readConfig({ DATABASE_URL: 'postgres://localhost/x', ...env });
    return config.ok ? config.value.evidenceKey : config.error;
  };
  const trm = { KYT_PROVIDER: 'trm', TRM_API_KEY: 'key' };
  const EVIDENCE_KEY = Buffer.alloc(32, 7).toString('base64');
  expect(keyOf({})).toEqual({ kind: 'none' });
  expect(keyOf({ ...trm, EVIDENCE_KEY })).toEqual({ kind: 'given', key: Buffer.alloc(32, 7) });
  expect(keyOf(trm)).toEqual([
    'EVIDENCE_KEY is required: DATABASE_URL is set and KYT_PROVIDER names a vendor',
  ]);
  expect(keyOf({ ...trm, EVIDENCE_KEY: 'c2hvcnQ=' })).toContain(
    'EVIDENCE_KEY must be 32 bytes in base64, as `openssl rand -base64 32` makes them',
  );
});

test('operators are known in any case of their address', () => {
  const config = readConfig({ OPERATOR_ADDRESSES: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' });
  expect(config).toMatchObject({
    value: { operators: new Set(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']) },
  });
});

test('the help names every variable that is read', () => {
  const read = new Set<string>();
  readConfig(
    new Proxy(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    ),
  );
  expect(variables.map(([name]) => name).sort()).toEqual([...read].sort());
});

test('OAUTH is on or off, and nothing else [dashboard.oauth.metadata]', () => {
  expect(readConfig({ OAUTH: 'on' })).toMatchObject({ ok: true, value: { oauth: true } });
  expect(readConfig({ OAUTH: 'off' })).toMatchObject({ ok: true, value: { oauth: false } });
  expect(readConfig({ OAUTH: 'yes' })).toMatchObject({
    ok: false,
    error: [expect.stringContaining('OAUTH')],
  });
});

const provider = {
  OIDC_ISSUER: 'https://login.example.com/realms/main',
  OIDC_CLIENT_ID: 'countersign',
  OIDC_ACCOUNT: '0x52908400098527886E0F7030069857D2E4169EE7',
  OIDC_GROUP_ROLES: '{"finance, all": ["approver", "auditor"], "it": ["admin"]}',
};

test('a provider is read as it is set, and its name is the host’s unless one is given [dashboard.provider-login.settings]', () => {
  expect(readConfig(provider)).toMatchObject({
    ok: true,
    value: {
      providerLogin: {
        issuer: 'https://login.example.com/realms/main',
        clientSecret: null,
        name: 'login.example.com',
        scope: 'openid profile',
        groupClaim: 'groups',
        rolesOfGroups: new Map([
          ['finance, all', ['approver', 'auditor']],
          ['it', ['admin']],
        ]),
      },
    },
  });
  const local = { ...provider, OIDC_ISSUER: 'http://127.0.0.1:9000', OIDC_NAME: 'Our login' };
  expect(readConfig(local)).toMatchObject({ ok: true, value: { providerLogin: { name: 'Our login' } } });
});

test('a provider that is half set or could be read by others is refused [dashboard.provider-login.settings]', () => {
  const faults = (change: Readonly<Record<string, string>>) => {
    const config = readConfig({ ...provider, ...change });
    return config.ok ? [] : config.error.map((error) => error.split(' ')[0]);
  };
  const issuers = [
    'http://login.example.com',
    'https://me:secret@login.example.com',
    'https://login.example.com?a=b',
    'login',
  ];
  for (const issuer of issuers)
    expect([issuer, faults({ OIDC_ISSUER: issuer })]).toEqual([issuer, ['OIDC_ISSUER']]);
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_ACCOUNT', 'OIDC_GROUP_ROLES'])
    expect(faults({ [name]: '' })).toEqual([name]);
  const mappings = [
    '{}',
    '[]',
    '{"it": []}',
    '{"it": "admin"}',
    '{"it": ["king"]}',
    '{"": ["admin"]}',
    'it=admin',
    'null',
  ];
  for (const roles of mappings)
    expect([roles, faults({ OIDC_GROUP_ROLES: roles })]).toEqual([roles, ['OIDC_GROUP_ROLES']]);
  expect(faults({ OIDC_SCOPE: 'profile' })).toEqual(['OIDC_SCOPE']);
  expect(faults({ OIDC_NAME: 'Our\u202elogin' })).toEqual(['OIDC_NAME']);
});
