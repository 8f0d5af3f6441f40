import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserSession } from './fixtures/browser-session.ts';
import { startSite, type TestSite } from './fixtures/sites/forum.ts';
import { type Json, joinVault, type TestVault } from './fixtures/vault.ts';

const login = { username: 'ada.lovelace', password: 'correct horse battery staple' };

let vault: TestVault;
let site: TestSite;
let owner: string;
/** As records and answers name the owner. */
let ownersName: string;
let agent: string;
let credential: string;
beforeAll(async () => {
  [vault, site] = await Promise.all([joinVault(), startSite()]);
  const ada = await vault.newUser('ada');
  [owner, ownersName] = [ada.token, `user:${ada.username}`];
  agent = await vault.newToken(owner, ['credential:decrypt', 'credential:read']);
});
afterAll(async () => {
  await vault.stop();
  await site.stop();
});
beforeEach(async () => {
  site.received.splice(0);
  credential = await keep([site.url]);
});

const keep = async (allowed_urls: readonly string[]): Promise<string> => {
  const about = { credential_type: 'username_password', plaintext_data: login, allowed_urls };
  return (await vault.newCredential(owner, about)).id;
};

async function open(path: string, task = 'Log in and read the comments'): Promise<BrowserSession> {
  return BrowserSession.open(vault, agent, {
    task,
    credential_ids: [credential],
    allowed_urls: [site.url],
    start_url: `${site.url}${path}`,
  });
}

const fill = (selector: string) =>
  ({ operation_type: 'fill', selector, value: '{{CREDENTIAL.password}}' }) as const;
const flip = {
  operation_type: 'execute_script',
  value: `const field = document.querySelector('#comment'); field.type = 'password'; return field.type`,
} as const;

const decide = (session: BrowserSession, operation: string, decision: string) =>
  vault.ask('POST', `/api/v1/sandbox/sessions/${session.id}/approvals/${operation}`, {
    token: owner,
    body: { decision },
  });
const usesOf = async (id: string) =>
  (await vault.ask('GET', `/api/v1/credentials/${id}/uses`, { token: owner })).data;
/** Whatever the review says of scripts: the page is as the script would have made it. */
async function run(session: BrowserSession, operation: typeof flip) {
  const { data } = await session.operate(operation);
  if (data.status === 'pending_approval') await decide(session, data.operation_id, 'approve');
}

test('a field that a script made one for passwords gets none: a person is asked, and the comment is not sent [vault.review.place.touched]', async () => {
  const session = await open('/comments', 'Log in and post a comment');
  await run(session, flip);
  const { data } = await session.operate(fill('#comment'));
  expect(data.review.rules.map(({ rule }: { rule: string }) => rule)).toContain('credential.new-place');
  expect(data.status).toBe('pending_approval');
  await decide(session, data.operation_id, 'reject');
  await session.operate({ operation_type: 'click', selector: '#post' });
  expect(site.received.join()).not.toContain('horse');
  await session.close();
});

test('control: where that place was agreed to, the password does stand in the comment', async () => {
  const session = await open('/comments', 'Log in and post a comment');
  await run(session, flip);
  const { data } = await session.operate(fill('#comment'));
  expect((await decide(session, data.operation_id, 'approve')).data.status).toBe('executed');
  const posted = await session.operate({ operation_type: 'click', selector: '#post' });
  if (posted.data.status === 'pending_approval') await decide(session, posted.data.operation_id, 'approve');
  expect(site.received.join()).toContain('horse');
  await session.close();
});

test('a log-in form is filled without a question; without addresses a person agrees once, until it is revoked [vault.review.place.login-form] [vault.review.place.unbound] [vault.review.place.remembered] [vault.credential.uses.revoke]', async () => {
  const bound = await open('/login');
  await bound.do(fill('#password'));
  expect((await usesOf(credential)).items).toMatchObject([
    { origin: site.url, path: '/session', method: 'POST', field: 'password', allowed_by: 'log-in form' },
  ]);
  await bound.close();

  credential = await keep([]);
  const first = await open('/login');
  const { data } = await first.operate(fill('#password'));
  expect(data).toMatchObject({
    status: 'pending_approval',
    review: { rules: [{ rule: 'credential.unbound' }] },
  });
  const path = `/api/v1/sandbox/sessions/${first.id}/approvals/${data.operation_id}`;
  const shown = await vault.ask('GET', path, { token: owner });
  expect(shown.data).toMatchObject({ place: { path: '/session', field: 'password' } });
  expect(Buffer.from(shown.data.image, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(await vault.ask('GET', path, { token: agent })).toMatchObject({ status: 403 });
  expect((await decide(first, data.operation_id, 'approve')).data.status).toBe('executed');
  await first.close();

  const second = await open('/login');
  await second.do(fill('#password'));
  const [use] = (await usesOf(credential)).items;
  expect(use.allowed_by).toBe(ownersName);
  await vault.ask('DELETE', `/api/v1/credentials/${credential}/uses/${use.id}`, { token: owner });
  expect((await second.operate(fill('#password'))).data.status).toBe('pending_approval');
  await second.close();
});

test('who allowed, named and revoked where a credential goes, and who looked, is in signed records without the secret [vault.audit.event.credential-use-allowed] [vault.audit.event.credential-use-revoked] [vault.audit.event.credential-updated] [vault.audit.event.human-approval-opened] [vault.audit.event.content-left] [vault.audit.record.no-plaintext]', async () => {
  credential = await keep([]);
  const session = await open('/login');
  const { data } = await session.operate(fill('#password'));
  const { operation_id: operationId } = data;
  const path = `/api/v1/sandbox/sessions/${session.id}/approvals/${operationId}`;
  const looks: Json[] = [];
  for (let twice = 0; twice < 2; twice += 1)
    looks.push((await vault.ask('GET', path, { token: owner })).data);
  await decide(session, operationId, 'approve');
  await session.close();
  const about = `/api/v1/credentials/${credential}`;
  await vault.ask('DELETE', `${about}/uses/${(await usesOf(credential)).items[0].id}`, { token: owner });
  await vault.ask('PATCH', about, { token: owner, body: { allowed_urls: [site.url] } });
  const of = async (query: string) =>
    (await vault.ask('GET', `/api/v1/audit/logs?${query}`, { token: owner })).data.items as Json[];
  const ofCredential = await of(`credentialId=${credential}`);
  const opened = (await of(`sessionId=${session.id}`)).filter(
    ({ eventType }) => eventType === 'human_approval_opened',
  );
  const place = { origin: site.url, path: '/session', method: 'POST', field: 'password' };
  const who = { actor: ownersName, tenantId: expect.any(String) };
  const changed = ofCredential.filter(({ eventType }) => eventType.startsWith('credential_u'));
  expect(changed).toMatchObject([
    { ...who, eventType: 'credential_updated', detail: { allowedUrls: { added: [site.url], removed: [] } } },
    { ...who, eventType: 'credential_use_revoked', detail: place },
    {
      ...who,
      eventType: 'credential_use_allowed',
      sessionId: session.id,
      detail: { operationId, ...place, allowedBy: ownersName },
    },
  ]);
  expect(opened).toMatchObject([{ ...who, detail: { operationId, picture: true } }]);
  for (const { auditId } of [...changed, ...opened])
    expect(
      (await vault.ask('POST', `/api/v1/audit/logs/${auditId}/verify`, { token: owner })).data,
    ).toMatchObject({ signatureValid: true, chainHashValid: true, merklePathValid: true });
  // The picture that the person saw left the session, once.
  const [{ image, left }] = looks;
  expect(looks[1]).toMatchObject({ image, left });
  const pictures = (await of(`sessionId=${session.id}`)).filter(
    ({ detail }) => detail.what === 'approval_picture',
  );
  const png = Buffer.from(image, 'base64');
  const saltedSha256 = hash('sha256', Buffer.concat([Buffer.from(left.salt, 'hex'), png]));
  expect(pictures).toMatchObject([{ ...who, detail: { operationId, bytes: png.length, saltedSha256 } }]);
  expect(left.sha256).toBe(hash('sha256', png));
  expect(JSON.stringify([changed, opened, pictures])).not.toContain('horse');
});
