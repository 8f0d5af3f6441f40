import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer as createSocket, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../cli/src/commands.ts';
import { filledIn, probe, services } from './test/services.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

type Process = {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly replicas: number };
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly [other: string]: unknown;
};
type Filter = {
  readonly syscalls: readonly {
    readonly names: readonly string[];
    readonly action: string;
    readonly errnoRet: number;
  }[];
};
type Compose = {
  readonly services: Readonly<Record<string, Process>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
};

const text = read('compose.yaml');
/** As `.env` has it where clients connect by OAuth. */
const withOAuth = {
  OAUTH: 'on',
  OWNER_ADDRESS: `0x${'3'.repeat(40)}`,
  GATEWAY_PUBLIC_URL: 'https://gateway.example',
  OAUTH_ISSUER: 'https://countersign.example',
};
const variable = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** As Compose fills in variables: in values, once they are read. */
const interpolatedFrom =
  (env: Readonly<Record<string, string>>) =>
  (_: unknown, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(
          variable,
          (_, name: string, kind: string | undefined, rest: string) =>
            env[name] ?? (kind === '-' ? rest : `MISSING ${name}`),
        )
      : value;
const compose = parse(text, interpolatedFrom(filledIn), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(
  ([, { command }]) => command?.[0] !== 'postgres' && command,
);
const haproxy = read('haproxy.cfg');

test('env.example names what Compose asks for, and gives no secret a value [system.deploy.compose]', () => {
  const required = [...text.matchAll(variable)].filter(([, , kind]) => kind === '?').map(([, name]) => name);
  const lines = read('env.example').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm);
  const [asked, given] = [new Set<string>(), new Set<string>()];
  for (const [, hint, name = '', value] of lines) {
    if (hint === undefined) asked.add(name);
    if (hint === undefined && value !== '') given.add(name);
  }
  expect([...required].filter((name) => !asked.has(name ?? ''))).toEqual([]);
  expect([...asked].filter((name) => !text.includes(`\${${name}`))).toEqual([]);
  expect([...given]).toEqual([]);
});

test('no secret has a default [system.deploy.compose]', () => {
  const loose = [...text.matchAll(variable)]
    .filter(([, name = '', kind]) => /PASSWORD|KEY|TOKEN|SECRET/.test(name) && kind !== '?')
    .map(([, name, kind, value]) => `${name} ${kind}${value}`);
  // Empty: until the dashboard is up there is no key of it, the log need not be anchored, people need no provider, and few
  // services have a credential.
  const mayBeEmpty = [
    'COMPLIANCE_API_KEY -',
    'ANCHOR_PRIVATE_KEY -',
    'OIDC_CLIENT_SECRET -',
    'GATEWAY_VAULT_TOKEN -',
  ];
  expect(new Set(loose)).toEqual(new Set(mayBeEmpty));
  expect(Object.values(compose.secrets).every(({ file }) => file.startsWith(`${filledIn['TLS_DIR']}/`))).toBe(
    true,
  );
});

test('the owner is sent to the console’s public address, not to a name inside [gateway.challenge.approval-url]', () => {
  const address = compose.services['dashboard']?.environment?.['DASHBOARD_PUBLIC_URL'];
  expect(address).toBe(filledIn['DASHBOARD_PUBLIC_URL']);
  expect(address).not.toBe(compose.services['gateway-1']?.environment?.['COMPLIANCE_BASE_URL']);
});

test('clients can connect by OAuth: four lines of .env reach the two that have to agree [system.deploy.compose]', () => {
  const filled = interpolatedFrom({ ...filledIn, ...withOAuth });
  const { services: all } = parse(text, filled, { merge: true }) as Compose;
  const [gateway, dashboard] = [all['gateway-1']?.environment, all['dashboard']?.environment];
  expect(gateway).toMatchObject({ GATEWAY_PUBLIC_URL: 'https://gateway.example' });
  expect(gateway?.['OAUTH_ISSUER']).toBe(dashboard?.['DASHBOARD_PUBLIC_URL']);
  expect(dashboard?.['OAUTH']).toBe('on');
  expect(services['gateway']?.errors({ ...gateway, NODE_ENV: 'production' })).toEqual([]);
  expect(services['dashboard']?.errors({ ...dashboard, NODE_ENV: 'production' })).toEqual([]);
});

test('people can sign in through a provider: five lines of .env reach the dashboard [system.deploy.compose]', () => {
  const given = {
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'countersign',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ACCOUNT: `0x${'3'.repeat(40)}`,
    OIDC_GROUP_ROLES: '{"finance": ["approver"]}',
  };
  const filled = interpolatedFrom({ ...filledIn, ...given });
  const { services: all } = parse(text, filled, { merge: true }) as Compose;
  const dashboard = all['dashboard']?.environment;
  expect(dashboard).toMatchObject(given);
  expect(services['dashboard']?.errors({ ...dashboard, NODE_ENV: 'production' })).toEqual([]);
});

test('one sign-in is a file beside it: the dashboard has the key, vault and control plane its public half [system.deploy.compose]', () => {
  const beside = read('compose.sign-in.yaml');
  const filled = interpolatedFrom({ ...filledIn, SIGN_IN_ACCOUNTS: `0x${'3'.repeat(40)}=acme` });
  const { services: more, secrets } = parse(beside, filled, { merge: true }) as Compose;
  expect(Object.keys(more)).toEqual(['dashboard', 'vault', 'control-plane']);
  expect(Object.keys(secrets)).toEqual(['sign_in_key', 'sign_in_public_key']);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const dir = mkdtempSync(join(tmpdir(), 'countersign-sign-in-'));
  writeFileSync(join(dir, 'sign_in_key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(dir, 'sign_in_public_key'), publicKey.export({ type: 'spki', format: 'pem' }));
  for (const [name, { environment = {}, secrets: given }] of Object.entries(more)) {
    // What a service reads at /run/secrets is what it was given there.
    const paths = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(paths).toEqual((given as readonly string[]).map((secret) => `/run/secrets/${secret}`));
    const here = Object.entries(environment).map(([key, value]) => [key, value.replace('/run/secrets', dir)]);
    const all = {
      ...compose.services[name]?.environment,
      ...Object.fromEntries(here),
      NODE_ENV: 'production',
    };
    expect([name, services[name]?.errors(all)]).toEqual([name, []]);
  }
});

describe.each(ours)('%s', (host, process) => {
  const [name = ''] = process.command ?? [];
  const service = services[name];
  const environment = process.environment ?? {};

  test('is one of our commands, in an image of the Dockerfile [system.deploy.compose]', () => {
    expect(Object.keys(commands)).toContain(name);
    expect(read('Dockerfile')).toContain(`AS ${process.build?.target}\n`);
  });

  test('knows each variable that it is given, and misses none [system.deploy.compose]', () => {
    expect(Object.keys(environment).filter((one) => !service?.variables.has(one))).toEqual([]);
    expect(service?.errors({ ...environment, NODE_ENV: 'production' })).toEqual([]);
  });

  test('is looked after where it listens, on all addresses of its container [system.deploy.compose]', () => {
    const [command, program = '', asked = ''] = process.healthcheck?.test.slice(1) ?? [];
    expect([command, existsSync(join(import.meta.dirname, program.replace('/app/deploy/', '')))]).toEqual([
      'node',
      true,
    ]);
    const [address = '', port = ''] = service?.listens ?? [];
    const at = environment[port];
    expect(asked).toMatch(
      port === '' ? /^\/run\/countersign\/enclave.sock$/ : RegExp(`^https?://127\\.0\\.0\\.1:${at}/health$`),
    );
    expect(environment[address]).toBe(address === '' ? undefined : '0.0.0.0');
    const balanced = new RegExp(`^  server(-template)? .* ${host}:${at} check`, 'm');
    expect(balanced.test(haproxy)).toBe(port !== '');
  });

  test('has no rights, writes nowhere but on its disks, and has time to stop [system.deploy.compose]', () => {
    expect(process).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: expect.arrayContaining(['no-new-privileges:true']),
      stop_grace_period: '15s',
    });
  });
});

test('the enclave alone has another filter of system calls, which lets it make namespaces and not enter others [system.images.sandbox]', () => {
  const special = ours.filter(([, { security_opt: options }]) => (options as readonly string[]).length > 1);
  expect(special.map(([name]) => name)).toEqual(['enclave']);
  const [, filter = '', masks] = (special[0]?.[1]['security_opt'] ?? []) as readonly string[];
  expect(masks).toBe('systempaths=unconfined');
  const profile = JSON.parse(read(filter.replace('seccomp:', ''))) as Filter;
  const refused = new Set(profile.syscalls.flatMap(({ names }) => names));
  for (const { action, errnoRet } of profile.syscalls)
    expect([action, errnoRet]).toEqual(['SCMP_ACT_ERRNO', 1]);
  for (const needed of [
    'clone',
    'clone3',
    'unshare',
    'mount',
    'umount2',
    'pivot_root',
    'seccomp',
    'sethostname',
  ])
    expect(refused).not.toContain(needed);
  for (const never of [
    'setns',
    'bpf',
    'init_module',
    'finit_module',
    'kexec_load',
    'keyctl',
    'perf_event_open',
    'reboot',
  ])
    expect(refused).toContain(never);
});

test('a host with AppArmor needs one line of the enclave uncommented, which the guide tells [system.images.sandbox]', () => {
  const line = '# - apparmor=unconfined';
  expect(text.split(line).length).toBe(2);
  const withIt = parse(text.replace(line, line.slice(2)), interpolatedFrom(filledIn), {
    merge: true,
  }) as Compose;
  expect(withIt.services['enclave']?.['security_opt']).toEqual([
    ...((compose.services['enclave']?.['security_opt'] ?? []) as readonly string[]),
    'apparmor=unconfined',
  ]);
  const guide = read('../docs/guide/images.md');
  expect(guide).toMatch(/^\|.*AppArmor.*`apparmor=unconfined`/m);
  expect(guide).not.toContain('sets all of this');
});

test('two of each service and one enclave [system.deploy.compose]', () => {
  const count = (name: string) =>
    ours
      .filter(([, { command }]) => command?.[0] === name)
      .reduce((n, [, { deploy }]) => n + (deploy?.replicas ?? 1), 0);
  expect(Object.fromEntries(Object.keys(services).map((name) => [name, count(name)]))).toEqual({
    dashboard: 2,
    gateway: 2,
    enclave: 1,
    vault: 2,
    'control-plane': 2,
  });
});

test('the database is on the inner network alone, and only the balancer is reached from outside [system.deploy.compose]', () => {
  expect(compose.services['postgres']?.networks).toEqual(['inside']);
  expect(compose.networks['inside']).toEqual({ internal: true });
  expect(
    Object.entries(compose.services)
      .filter(([, { ports }]) => ports)
      .map(([name]) => name),
  ).toEqual(['balancer']);
});

test('the balancer listens where it is published, asks /ready, and passes the control plane’s TLS through [system.deploy.compose]', () => {
  for (const port of compose.services['balancer']?.ports ?? [])
    expect(haproxy).toMatch(new RegExp(`^  bind :${port.split(':')[1]}\\b`, 'm'));
  const sections = Object.fromEntries(
    haproxy.split(/\n(?=[a-z])/).map((section) => [section.split('\n')[0] ?? '', section]),
  );
  expect(sections['defaults']).toMatch(/http-check send meth GET uri \/ready ver HTTP\/1\.1 hdr Host /);
  expect(sections['backend gateways']).toMatch(
    /http-check send meth GET uri \/health ver HTTP\/1\.1 hdr Host /,
  );
  expect(sections['frontend control_plane']).toMatch(/mode tcp[^]*bind :4023\n/);
  expect(sections['backend control_planes']).toMatch(/mode tcp[^]*check check-ssl/);
});

const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function listening(server: Server, where: object): Promise<Server> {
  open.push(server.listen(where));
  await once(server, 'listening');
  return server;
}

test('the probe tells what answers 200, or takes connections, from all else [system.deploy.compose]', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'probe-')), 'a.sock');
  expect(await probe(path)).toBe(1);
  await listening(createSocket(), { path });
  expect(await probe(path)).toBe(0);

  const http = await listening(
    createHttp(({ url }, response) => response.writeHead(url === '/health' ? 200 : 503).end()),
    { port: 0, host: '127.0.0.1' },
  );
  const { port } = http.address() as AddressInfo;
  expect(await probe(`http://127.0.0.1:${port}/health`)).toBe(0);
  expect(await probe(`http://127.0.0.1:${port}/ready`)).toBe(1);
});
