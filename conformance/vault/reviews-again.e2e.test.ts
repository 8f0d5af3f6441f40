import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../gateway/fixtures/until.ts';
import { BrowserSession } from './fixtures/browser-session.ts';
import { logAnew, recordsOf, type Said } from './fixtures/log-anew.ts';
import { type Site, startSite } from './fixtures/sites/site.ts';
import { type Json, joinVault, type TestVault } from './fixtures/vault.ts';

const sends = `<script>const send = (path, method = 'POST') =>
  fetch(path, { method, headers: { 'content-type': 'application/json' }, body: '{"dark":true}' })</script>`;
const pages = {
  '/login': `<h1>Sign in</h1><form method="post" action="/session"><label>Name <input name="username" autocomplete="username"></label>
    <label>Password <input type="password" name="password" autocomplete="current-password"></label><button>Sign in</button></form>`,
  '/orders': `${sends}<h1>Orders</h1><p id="one">Order 7</p><button id="export">Export all data</button>
    <button id="delete">Delete my account</button><button id="theme" onclick="send('/api/theme')">Dark</button>
    <button id="two" onclick="send('/api/theme'); send('/api/orders/7', 'DELETE')">Go</button>
    <button id="late" onclick="setTimeout(() => send('/api/other'), 2500)">More</button>
    <form action="/profile" method="post"><input name="nickname"><input name="city"><input name="motto"><button id="profile">Go on</button></form>`,
};

/** Nobody would find it by chance, in any form. */
const secret = `pässword-${randomUUID()}`;
let vault: TestVault;
let token: string;
let agent: string;
let site: Site;
let credentialId: string;
let exported: string;
/** Files of this test. */
const files: string[] = [];

beforeAll(async () => {
  [vault, site] = await Promise.all([
    joinVault(),
    startSite(pages, { otherwise: '<h1>Done</h1><p id="one">done</p>' }),
  ]);
  token = await vault.tokenOf(vault.admin);
  agent = await vault.newToken(token, ['credential:use', 'credential:read']);
  const credential = await vault.newCredential(token, {
    credential_type: 'username_password',
    plaintext_data: { username: 'ada-of-the-orders', password: secret },
    allowed_urls: [site.origin],
  });
  credentialId = credential.id;
  await work();
  exported = (await vault.ask('GET', '/api/v1/audit/export', { token })).text;
});
afterAll(async () => {
  for (const file of files) rmSync(file, { force: true });
  await vault?.stop();
  await site?.stop();
});

const open = (about: object = {}) =>
  BrowserSession.open(vault, agent, {
    credential_ids: [credentialId],
    allowed_urls: [site.origin],
    start_url: `${site.origin}/orders`,
    ...about,
  });
const click = (selector: string) => ({ operation_type: 'click', selector });
const go = (path: string) => ({ operation_type: 'navigate', value: site.origin + path });
const script = (value: string) => ({ operation_type: 'execute_script', value });

/** Does it, and says whether it was executed, asked about or rejected. */
async function tell(session: BrowserSession, operation: Parameters<BrowserSession['operate']>[0]) {
  const { data } = await session.operate(operation);
  return data as { status: string; operation_id: string };
}

async function decide(session: BrowserSession, { operation_id }: { operation_id: string }, decision: string) {
  const path = `/api/v1/sandbox/sessions/${session.id}/approvals/${operation_id}`;
  return (await vault.ask('POST', path, { token, body: { decision } })).data.status as string;
}

/** Operations that are allowed, asked about, agreed to, refused, and some whose requests are held. */
async function work(): Promise<void> {
  await signIn();
  await readAndAct();
  await holdRequests();
  await askNobody();
}

async function signIn(): Promise<void> {
  const session = await open({ start_url: `${site.origin}/login` });
  for (const [selector, field] of [
    ['[name=username]', 'username'],
    ['[name=password]', 'password'],
  ] as const)
    await session.do({ operation_type: 'fill', selector, value: `{{CREDENTIAL.${field}}}` });
  await session.do(click('button'));
  const misplaced = `${site.origin}/?q={{CREDENTIAL.password}}`;
  expect((await tell(session, { operation_type: 'navigate', value: misplaced })).status).toBe('rejected');
  const wrong = { operation_type: 'fill', selector: '#one', value: '{{CREDENTIAL.password}}' };
  expect((await tell(session, wrong)).status).toBe('rejected');
  const acts = await tell(session, script('document.querySelector("#one").click()'));
  expect(acts.status).toBe('pending_approval');
  expect(await decide(session, acts, 'approve')).toBe('executed');
  await session.close();
}

async function readAndAct(): Promise<void> {
  const session = await open();
  await session.do({ operation_type: 'extract', selector: '#one' });
  await session.do(script('return document.title'));
  for (const operation of [
    { operation_type: 'navigate', value: 'https://elsewhere.example/' },
    click('#delete'),
    script('return ]'),
  ])
    expect((await tell(session, operation)).status).toBe('rejected');
  const asked = await tell(session, click('#export'));
  expect(asked.status).toBe('pending_approval');
  expect(await decide(session, asked, 'approve')).toBe('executed');
  await session.do(go('/orders'));
  const changed = await tell(session, click('#profile'));
  expect(changed.status).toBe('pending_approval');
  await session.do(go('/elsewhere'));
  expect(await decide(session, changed, 'approve')).toBe('rejected');
  const refused = await tell(session, script('return document.body.innerHTML'));
  expect(refused.status).toBe('pending_approval');
  expect(await decide(session, refused, 'reject')).toBe('rejected');
  await session.ask('POST', '/export', { format: 'json', selector: '#one' });
  await session.close();
}

async function holdRequests(): Promise<void> {
  const session = await open();
  for (const decision of ['approve', 'reject'] as const) {
    const held = await tell(session, click('#theme'));
    expect(held.status).toBe('pending_approval');
    expect(await decide(session, held, decision)).toBe(decision === 'approve' ? 'executed' : 'rejected');
    await session.do(go('/orders'));
  }
  expect((await tell(session, click('#two'))).status).toBe('rejected');
  await session.do(click('#late'));
  // It comes when nothing is at work any more.
  const log = () => vault.ask('GET', '/api/v1/audit/export', { token });
  await until(log, ({ text }) => text.includes('request.late'));
  await session.close();
}

async function askNobody(): Promise<void> {
  const session = await open({ approval: 'never' });
  for (const operation of [click('#theme'), click('#export')])
    expect((await tell(session, operation)).status).toBe('rejected');
  await session.close();
  const careful = await open({ approval: 'human' });
  const waits = await tell(careful, script('return 1'));
  expect(await decide(careful, waits, 'approve')).toBe('executed');
  await careful.close();
}

type Told = {
  readonly status: number | null;
  readonly stdout: string;
  readonly json: Json;
};

function verify(text: string, ...options: readonly string[]): Told {
  const file = join(vault.dir, `${randomUUID()}.jsonl`);
  writeFileSync(file, text);
  files.push(file);
  const { status, stdout } = vault.run(['audit', 'verify', file, ...options]);
  return { status, stdout, json: options.includes('--json') ? JSON.parse(stdout) : null };
}

const isVerdict = ({ detail }: Pick<AuditRecord, 'detail'>) => 'rulesDigest' in detail;

describe('countersign audit verify --reviews', () => {
  test('makes every verdict of a vault’s sessions again: done, asked, agreed to, refused, held [vault.audit.cli.reviews] [vault.review.replay]', () => {
    const records = recordsOf(exported).filter(isVerdict);
    const kinds = new Set(
      records.map(({ eventType, detail }) => `${eventType} ${String(detail['verdict'])}`),
    );
    expect([...kinds].sort()).toEqual([
      'human_approval_requested ask',
      'policy_rejected deny',
      'sandbox_operation allow',
      'sandbox_operation ask',
    ]);
    expect(records.filter(({ detail }) => 'requests' in detail).length).toBeGreaterThanOrEqual(4);
    expect(records.filter(({ detail }) => 'beyondFacts' in detail)).not.toEqual([]);
    const { status, json } = verify(exported, '--reviews', '--json');
    expect(json.reviews).toMatchObject({ madeAgain: records.length, differ: 0, differences: [] });
    expect({ status, verdict: json.verdict }).toEqual({ status: 3, verdict: 'simulated' });
    expect(json.reviews.whyNotJudged.map(({ why }: Json) => why)).toEqual(
      Array.from({ length: json.reviews.whyNotJudged.length }, () => 'no-facts'),
    );
  });

  test('says so to people, and the same file without --reviews is what it was [vault.audit.cli.reviews]', () => {
    const { status, stdout } = verify(exported, '--reviews');
    expect(status).toBe(3);
    expect(stdout).toMatch(/^ok {6}\d+ verdicts made again by rules [0-9a-f]{64}: the same$/m);
    const plain = verify(exported);
    expect(plain.status).toBe(3);
    expect(plain.stdout).not.toContain('verdicts');
  });

  test('the records of verdicts hold no secret, in no form [vault.audit.record.no-plaintext]', () => {
    expect(exported).toContain('credential_access');
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Array.from(secret).reverse().join(''),
      ...(['base64', 'hex', 'latin1'] as const).map((as) => Buffer.from(secret).toString(as)),
    ])
      expect(exported).not.toContain(form);
    expect(site.received.some(({ body }) => body.includes(encodeURIComponent(secret)))).toBe(true);
  });
});

/** The log written anew, with each record that `change` knows another. */
async function forged(change: (record: AuditRecord) => Said | null) {
  let changed = 0;
  const said = recordsOf(exported).map((record): Said => {
    const other = change(record);
    changed += other === null ? 0 : 1;
    return other ?? record;
  });
  return { ...(await logAnew(said)), changed };
}

const withDetail = (record: AuditRecord, more: object): Said => ({
  ...record,
  detail: { ...record.detail, ...more },
});
const isFirst = () => {
  let seen = 0;
  return () => (seen += 1) === 1;
};

describe('a log that is written anew and signed by its own key', () => {
  const none = [{ rule: 'none', verdict: 'allow' }];

  test('control: unchanged, its verdicts are made again', async () => {
    const { text, key } = await forged(() => null);
    expect(verify(text, '--key', key)).toMatchObject({ status: 3 });
    const { status, json } = verify(text, '--key', key, '--reviews', '--json');
    expect({ status, differ: json.reviews.differ }).toEqual({ status: 3, differ: 0 });
  });

  test.each([
    [
      'a refusal that became a yes',
      ({ eventType }: AuditRecord) => eventType === 'policy_rejected',
      (record: AuditRecord) => ({
        ...withDetail(record, { verdict: 'allow', rules: none, phase: 'intent' }),
        eventType: 'sandbox_operation',
      }),
    ],
    [
      'a yes that became a refusal',
      ({ detail }: AuditRecord) => detail['verdict'] === 'allow',
      (record: AuditRecord) => ({
        ...withDetail(record, { verdict: 'deny', rules: [{ rule: 'scope.page', verdict: 'deny' }] }),
        eventType: 'policy_rejected',
      }),
    ],
    [
      'a question that nobody was asked',
      ({ eventType, detail }: AuditRecord) =>
        eventType === 'human_approval_requested' && !('requests' in detail),
      (record: AuditRecord) => ({
        ...withDetail(record, { phase: 'intent' }),
        eventType: 'sandbox_operation',
      }),
    ],
    [
      'another rule',
      ({ detail }: AuditRecord) => detail['verdict'] === 'deny',
      (record: AuditRecord) => withDetail(record, { rules: [{ rule: 'scope.frame', verdict: 'deny' }] }),
    ],
    [
      'another request than was held',
      ({ detail }: AuditRecord) => 'requests' in detail && detail['verdict'] === 'deny',
      (record: AuditRecord) => ({
        ...withDetail(record, { verdict: 'ask' }),
        eventType: 'human_approval_requested',
      }),
    ],
    [
      'a yes without its verdict',
      ({ detail }: AuditRecord) => detail['verdict'] === 'allow',
      (record: AuditRecord) => {
        const { verdict: _verdict, rules: _rules, ...detail } = record.detail;
        return { ...record, detail };
      },
    ],
    [
      'a yes without its facts',
      ({ detail }: AuditRecord) => detail['verdict'] === 'allow',
      (record: AuditRecord) => {
        const { facts: _facts, ...detail } = record.detail;
        return { ...record, detail };
      },
    ],
    [
      'another operation than its facts',
      ({ detail }: AuditRecord) => detail['verdict'] === 'allow',
      (record: AuditRecord) => withDetail(record, { operationType: 'scroll' }),
    ],
    [
      'facts that lead elsewhere',
      ({ detail }: AuditRecord) => detail['verdict'] === 'deny' && 'facts' in detail,
      (record: AuditRecord) =>
        withDetail(record, {
          facts: recordsOf(exported).find(({ detail }) => detail['verdict'] === 'allow')?.detail['facts'],
        }),
    ],
  ] as const)(
    '%s passes without --reviews, and is found with it [vault.audit.cli.reviews.forged]',
    async (_what, isIt, change) => {
      const first = isFirst();
      const { text, key, changed } = await forged((record) =>
        isVerdict(record) && isIt(record) && first() ? change(record) : null,
      );
      expect(changed).toBe(1);
      expect(verify(text, '--key', key)).toMatchObject({ status: 3 });
      const { status, json } = verify(text, '--key', key, '--reviews', '--json');
      expect({ status, verdict: json.verdict }).toEqual({ status: 1, verdict: 'bad' });
      const ids = json.reviews.differences.map(({ auditId }: Json) => auditId);
      expect(ids).toHaveLength(json.reviews.differ);
      expect(json.reviews.differ).toBeGreaterThanOrEqual(1);
      const people = verify(text, '--key', key, '--reviews');
      for (const id of ids) expect(people.stdout).toContain(`: ${id}: `);
      expect(people.stdout).toContain('\nBAD: this is what the log wrote, and not every verdict');
    },
  );

  test('without what its rules were nothing is judged, and that is said with 64 [vault.audit.cli.reviews.not-judged]', async () => {
    const earlier = await forged((record) => {
      const { rulesDigest, ...rest } = record.detail;
      return rulesDigest === undefined ? null : { ...record, detail: rest };
    });
    expect(verify(earlier.text, '--key', earlier.key)).toMatchObject({ status: 3 });
    const { status, json } = verify(earlier.text, '--key', earlier.key, '--reviews', '--json');
    expect({ status, verdict: json.verdict }).toEqual({ status: 64, verdict: 'none' });
    expect(json.reviews.whyNotJudged).toContainEqual({ why: 'earlier-build', records: earlier.changed });
  });

  test('by other rules is not judged, beside what is [vault.audit.cli.reviews.not-judged]', async () => {
    const first = isFirst();
    const other = 'b'.repeat(64);
    const { text, key } = await forged((record) =>
      isVerdict(record) && record.detail['verdict'] === 'deny' && first()
        ? withDetail(record, { rulesDigest: other })
        : null,
    );
    const { status, json } = verify(text, '--key', key, '--reviews', '--json');
    expect(status).toBe(3);
    expect(json.reviews.whyNotJudged).toContainEqual({ why: 'other-rules', about: other, records: 1 });
  });
});
