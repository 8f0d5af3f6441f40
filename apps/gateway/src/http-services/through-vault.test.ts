import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CredentialRefused, faultOf } from '../downstream/failure.ts';
import { type ThroughVault, throughVault } from './through-vault.ts';

let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume().once('end', () => answer(response));
});
let vault: ThroughVault;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vault = throughVault({ baseUrl, token: 't' }, { downstreamTimeoutMs: 5000, paymentTimeoutMs: 5000 });
});
afterAll(async () => {
  await vault.close();
  server.closeAllConnections();
  server.close();
});

const say =
  (status: number, body: unknown): typeof answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const refusal = (status: number, code: string) => say(status, { error: { code, message: 'no' } });
const problem = (name: string) => say(200, { audit_id: null, answer: null, problem: name });

const failing = async (): Promise<unknown> => {
  const send = vault.with({ id: crypto.randomUUID(), headers: { authorization: '{{CREDENTIAL.key}}' } });
  const request = {
    origin: 'https://shop.example',
    method: 'POST',
    path: '/',
    headers: {},
    body: '{}',
  } as const;
  return send(request, new AbortController().signal, () => 1024).then(
    () => null,
    (error: unknown) => error,
  );
};

test.each<[string, typeof answer]>([
  ['the connection to the vault is lost', (response) => response.destroy()],
  ['the answer of the vault is too large', say(200, { much: 'a'.repeat(8 * 1024 * 1024) })],
  ['the vault says nothing that makes sense', say(200, 'what')],
  ['the vault fails', refusal(500, 'internal_error')],
  ['the service gives no answer', problem('no_answer')],
])('where %s nobody knows whether it was sent [gateway.http-services.credentials]', async (_, says) => {
  answer = says;
  const error = await failing();
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(CredentialRefused);
  expect(faultOf(error).failure).toMatchObject({ reason: 'unreachable' });
});

test.each<[string, typeof answer]>([
  ['does not give the credential', refusal(404, 'not_found')],
  ['does not let it go there', refusal(400, 'invalid_request')],
  ['holds one that a person may have chosen', problem('credential_guessable')],
])('a vault that %s has sent nothing [gateway.http-services.credentials]', async (_, says) => {
  answer = says;
  expect(faultOf(await failing()).failure).toEqual({ reason: 'credential_refused' });
});

test('a vault that is busy asks for fewer requests [gateway.http-services.credentials]', async () => {
  answer = refusal(429, 'rate_limited');
  expect(faultOf(await failing()).failure).toMatchObject({ reason: 'rate_limited' });
});
