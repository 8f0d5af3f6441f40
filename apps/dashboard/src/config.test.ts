import { expect, test } from 'vitest';
import { readConfig, variables } from './config.ts';

test('an empty environment is a whole configuration', () => {
  expect(readConfig({})).toEqual({
    ok: true,
    value: {
      host: '127.0.0.1',
      port: 4021,
      publicUrl: null,
      storage: { kind: 'managed', directory: '.countersign' },
      chainId: 8453,
      operators: new Set(),
      kycProvider: 'review-queue',
      kytProvider: 'ofac-sdn',
      limits: { logins: 30, requests: 1200 },
      logLevel: 'info',
    },
  });
});

test('every error is told at once, and no secret with it', () => {
  const config = readConfig({
    DASHBOARD_PORT: '70000',
    DASHBOARD_PUBLIC_URL: 'https://pay.example.com/path',
    DATABASE_URL: 'mysql://user:hunter2@db',
    SETTLEMENT_CHAIN_ID: '0x1',
    OPERATOR_ADDRESSES: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,nobody',
    KYC_PROVIDER: 'sumsub',
    KYT_PROVIDER: 'chainalysis',
    RATE_LIMIT_LOGINS: '0',
    LOG_LEVEL: 'loud',
  });
  if (config.ok) throw new Error('must fail');
  expect(config.error.map((line) => line.split(' ')[0])).toEqual([
    'DASHBOARD_PORT',
    'DASHBOARD_PUBLIC_URL',
    'DATABASE_URL',
    'SETTLEMENT_CHAIN_ID',
    'OPERATOR_ADDRESSES',
    'KYC_PROVIDER',
    'KYT_PROVIDER',
    'RATE_LIMIT_LOGINS',
    'LOG_LEVEL',
  ]);
  expect(config.error).toContain('KYC_PROVIDER must be one of review-queue');
  expect(config.error).toContain('KYT_PROVIDER must be one of ofac-sdn');
  expect(config.error.join()).not.toContain('hunter2');
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
