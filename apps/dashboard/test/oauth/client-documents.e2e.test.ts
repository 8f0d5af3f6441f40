import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentFetcher } from '../../src/oauth/fetch-document.ts';
import { redirectUri } from './client.ts';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';
import { startDocumentServer } from './document-server.ts';

let documents: Awaited<ReturnType<typeof startDocumentServer>>;
/** One that may reach this machine, where the documents are; and one as it is in the world. */
let [open, guarded]: OauthDashboard[] = [];

const document = (url: string) => ({
  client_id: `${documents.origin}${url}`,
  client_name: 'Hosted client',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
});

beforeAll(async () => {
  documents = await startDocumentServer(({ url = '' }, response) => {
    const send = (body: object) => response.writeHead(200).end(JSON.stringify(body));
    switch (url) {
      case '/moved.json':
        return void response.writeHead(302, { location: `${documents.origin}/client.json` }).end();
      case '/large.json':
        return void send({ ...document(url), padding: 'x'.repeat(6_000) });
      case '/other.json':
        return void send(document('/client.json'));
      case '/secret.json':
        return void send({ ...document(url), redirect_uris: ['javascript:alert(1)'] });
      case '/text.json':
        return void response.writeHead(200).end('not JSON');
      case '/gone.json':
        return void response.writeHead(404).end();
      case '/endless.json':
        return void response.writeHead(200).write('{');
      default:
        return void send(document(url));
    }
  });
  const { ca } = documents;
  open = await openOauthDashboard({}, { fetchDocument: documentFetcher({ allowPrivate: true, ca }) });
  guarded = await openOauthDashboard({}, { fetchDocument: documentFetcher({ ca }) });
});
afterAll(async () => {
  await open?.stop();
  await guarded?.stop();
  await documents?.stop();
});

/** Returns whether a request of this client gets as far as its owner. */
async function waits(dashboard: OauthDashboard | undefined, clientId: string): Promise<boolean> {
  if (dashboard === undefined) throw new Error('no dashboard');
  await dashboard.newOwner();
  const { status, uid, location, text } = await dashboard.client.authorize(clientId);
  if (uid !== '') return true;
  // The answer is our own page, which names neither the address nor what was found there.
  expect({ status, location }).toEqual({ status: 400, location: null });
  expect(text).not.toContain(new URL(clientId).host);
  return false;
}

test('a client whose id is its document connects, with the host that vouches for it [dashboard.oauth.client-document]', async () => {
  if (open === undefined) throw new Error('no dashboard');
  const owner = await open.newOwner();
  const clientId = `${documents.origin}/client.json`;
  const asked = await open.client.authorize(clientId);
  const { token } = owner;
  const request = await open.request('GET', `/oauth/interactions/${asked.uid}/request`, {
    token,
    headers: { cookie: asked.cookie },
  });
  expect(request.data.client).toEqual({
    name: 'Hosted client',
    verifiedHost: `localhost:${documents.port}`,
    documentUrl: clientId,
    returnsTo: 'client.example',
  });
  const { code, verifier } = await open.consentedCode(owner, clientId);
  const tokens = await open.client.exchange(clientId, code, verifier);
  expect(await open.introspect(owner, tokens.body.access_token)).toMatchObject({ active: true });
});

test('no document brings the dashboard to a private address [dashboard.oauth.client-document]', async () => {
  const { port } = documents;
  const before = documents.connections();
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0'])
    expect([host, await waits(guarded, `https://${host}:${port}/client.json`)]).toEqual([host, false]);
  for (const host of ['169.254.169.254', '10.0.0.1', '192.168.1.1', '[fd00::1]'])
    expect([host, await waits(guarded, `https://${host}/client.json`)]).toEqual([host, false]);
  expect(documents.connections()).toBe(before);
  // The control: where it may, it goes there.
  expect(await waits(open, `https://127.0.0.1:${port}/client.json`)).toBe(false);
  expect(documents.connections()).toBe(before + 1);
});

test('a redirect is not followed [dashboard.oauth.client-document]', async () => {
  const before = documents.asked.length;
  expect(await waits(open, `${documents.origin}/moved.json`)).toBe(false);
  expect(documents.asked.slice(before)).toEqual(['/moved.json']);
});

test('a document that is large, slow, another client’s or none is refused [dashboard.oauth.client-document]', async () => {
  for (const name of ['large', 'other', 'secret', 'text', 'gone', 'endless'])
    expect([name, await waits(open, `${documents.origin}/${name}.json`)]).toEqual([name, false]);
  expect(await waits(open, `${documents.origin}/fine.json`)).toBe(true);
});

test('an id that is no plain https URL is an unknown client [dashboard.oauth.client-document]', async () => {
  const before = documents.connections();
  for (const id of [
    `http://localhost:${documents.port}/client.json`,
    `https://user@localhost:${documents.port}/client.json`,
    `https://localhost:${documents.port}/a/../client.json`,
    `https://localhost:${documents.port}/client.json#x`,
  ])
    expect(await waits(open, id)).toBe(false);
  expect(documents.connections()).toBe(before);
});

test('only a request for authorization, or a client that is connected, has a document fetched [dashboard.oauth.client-document]', async () => {
  const fetchDocument = documentFetcher({ allowPrivate: true, ca: documents.ca });
  const first = await openOauthDashboard({}, { fetchDocument });
  const owner = await first.newOwner();
  const clientId = `${documents.origin}/connected.json`;
  const { code, verifier } = await first.consentedCode(owner, clientId);
  const { body } = await first.client.exchange(clientId, code, verifier);
  await first.stop();

  const { storage } = first.config;
  const second = await openOauthDashboard({ storage, publicUrl: new URL(first.url) }, { fetchDocument });
  try {
    const before = documents.asked.length;
    for (const name of ['never', 'seen']) {
      const stranger = `${documents.origin}/${name}.json`;
      for (const answer of [
        await second.client.refresh(stranger, 'x'.repeat(43)),
        await second.client.exchange(stranger, 'x'.repeat(43), verifier),
        await second.client.revoke(stranger, 'x'.repeat(43)),
      ])
        expect(answer.body).toMatchObject({ error: 'invalid_client' });
    }
    expect(documents.asked.slice(before)).toEqual([]);
    expect(await second.client.refresh(clientId, body.refresh_token)).toMatchObject({ status: 200 });
    expect(documents.asked.slice(before)).toEqual(['/connected.json']);
  } finally {
    await second.stop();
  }
});
