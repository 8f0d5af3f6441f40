import { expect, test } from 'vitest';
import { readConfig, variables } from './config.ts';

const good = (env: Record<string, string>) => {
  const config = readConfig(env);
  if (!config.ok) throw new Error(config.error.join('; '));
  return config.value;
};

test('without any variable it listens on 127.0.0.1:4022, and variables change that [vault.listen.address]', () => {
  expect(good({})).toMatchObject({
    host: '127.0.0.1',
    port: 4022,
    storage: { kind: 'managed' },
    consoleOrigins: [],
    anchor: null,
  });
  expect(good({ VAULT_HOST: '0.0.0.0', VAULT_PORT: '5022' })).toMatchObject({ host: '0.0.0.0', port: 5022 });
});

test('every wrong variable is told at once, by its name, and never by its value', () => {
  const config = readConfig({
    VAULT_PORT: '99999',
    VAULT_CONSOLE_ORIGIN: 'https://a.example/path',
    VAULT_RANDOM_PASSWORDS: 'secret',
    DATABASE_URL: 'mysql://secret',
    AUDIT_ANCHOR_ADDRESS: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    ANCHOR_PRIVATE_KEY: '0xsecret',
  });
  const told = config.ok ? [] : config.error;
  const names = [
    'ANCHOR_PRIVATE_KEY',
    'DATABASE_URL',
    'EVM_RPC_URL',
    'VAULT_CONSOLE_ORIGIN',
    'VAULT_PORT',
    'VAULT_RANDOM_PASSWORDS',
  ];
  expect(told.map((line) => line.split(' ')[0] ?? '').toSorted()).toEqual(names);
  expect(told.join()).not.toContain('secret');
});

test('roots are published every 600 seconds, unless it is told otherwise', () => {
  const anchored = {
    AUDIT_ANCHOR_ADDRESS: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    ANCHOR_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
    EVM_RPC_URL: 'http://127.0.0.1:8545',
  };
  expect(good(anchored).anchor?.intervalMs).toBe(600_000);
  expect(good({ ...anchored, ANCHOR_INTERVAL_SECONDS: '5' }).anchor?.intervalMs).toBe(5000);
});

test('the help names every variable that is read', () => {
  const names = variables.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['VAULT_PORT', 'ENCLAVE_SOCKET', 'ANCHOR_INTERVAL_SECONDS']));
});
