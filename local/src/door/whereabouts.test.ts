import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { planPorts } from '../port-plan.ts';
import { doorWhereabouts, whyNoDoor } from './whereabouts.ts';

test('a system that listens on loopback alone may have a door [system.door.loopback]', () => {
  expect(whyNoDoor({})).toBeNull();
  expect(whyNoDoor({ DASHBOARD_HOST: '::1', GATEWAY_HOST: 'localhost', VAULT_HOST: ' ' })).toBeNull();
});

test.each([
  [{ DASHBOARD_HOST: '0.0.0.0' }, 'DASHBOARD_HOST lets others than this machine in'],
  [{ VAULT_HOST: '::' }, 'VAULT_HOST lets others than this machine in'],
  [{ CONTROL_HOST: '192.168.1.4' }, 'CONTROL_HOST lets others than this machine in'],
  [{ GATEWAY_HOST: 'box.local' }, 'GATEWAY_HOST lets others than this machine in'],
  [
    { DASHBOARD_PUBLIC_URL: 'https://countersign.example' },
    'DASHBOARD_PUBLIC_URL says that the console is somewhere else',
  ],
])('%j: no door, and one clause says why [system.door.loopback]', (env, why) => {
  expect(whyNoDoor(env)).toBe(why);
});

test('each variable that says where a service of the system listens can close the door [system.door.loopback]', () => {
  const root = join(import.meta.dirname, '../../..');
  const sources = [
    join(root, 'local/src'),
    ...readdirSync(join(root, 'apps')).map((app) => join(root, 'apps', app, 'src')),
  ];
  const names = sources.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('config.ts'))
      .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/withDefault\('(\w+_HOST)'/g)])
      .map(([, name]) => String(name)),
  );
  expect(names.length).toBeGreaterThan(5);
  for (const name of names)
    expect(whyNoDoor({ [name]: '0.0.0.0' })).toBe(`${name} lets others than this machine in`);
});

test('the door’s name is new at each start, below localhost, and nobody guesses it [system.door.own-name]', async () => {
  const ports = await planPorts(4020);
  const [one, other] = [doorWhereabouts(ports, randomBytes), doorWhereabouts(ports, randomBytes)];
  expect(one.origin).toMatch(/^http:\/\/[a-z2-7]{22}\.localhost:4030$/);
  expect(other.origin).not.toBe(one.origin);
  expect(one.porch).toBe('http://127.0.0.1:4030');
});
