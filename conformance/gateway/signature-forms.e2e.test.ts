import { expectOk } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { createSiweMessage } from 'viem/siwe';
import { hashMessage, hashTypedData, type Hex, serializeErc6492Signature } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn } from './fixtures/approval.ts';
import { highTwin } from './fixtures/signature-twin.ts';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };
const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const smallV = (signature: Hex): Hex =>
  `0x${signature.slice(2, 130)}${signature.endsWith('1b') ? '00' : '01'}`;

/** What the key of a wallet may write its signature as, and whether that counts: everywhere alike. */
const forms: readonly (readonly [name: string, form: (signature: Hex) => Hex, holds: boolean])[] = [
  ['v of 0 or 1', smallV, false],
  ['the high-s twin', highTwin, false],
  ['the high-s twin with v of 0 or 1', (signature) => smallV(highTwin(signature)), false],
  ['64 bytes', (signature) => `0x${signature.slice(2, 130)}`, false],
  ['trailing bytes', (signature) => `${signature}00`, false],
  [
    'wrapped as if it were a contract',
    (signature) => serializeErc6492Signature({ address: factory, data: '0x', signature }),
    false,
  ],
  ['capital letters', (signature) => `0x${signature.slice(2).toUpperCase()}`, true],
  ['v of 27 or 28, low s', (signature) => signature, true],
];

test('a key has one form of signature, at login, over mandates and over approvals, here as at the gateway [dashboard.signature.one-form] [gateway.approval.signer.one-form]', async () => {
  const { dashboard, card } = world;
  const privateKey = newPrivateKey();
  const { address } = privateKeyToAccount(privateKey);
  const signed = (hash: Hex) => sign({ hash, privateKey, to: 'hex' });
  const about = {
    address,
    domain: new URL(card.dashboardUrl).host,
    uri: card.dashboardUrl,
    version: '1',
  } as const;

  const logIn = async (form: (signature: Hex) => Hex) => {
    const { nonce } = expectOk('nonce', await dashboard.nonce({}));
    const message = createSiweMessage({ ...about, chainId: card.chainId, nonce, issuedAt: new Date() });
    return dashboard.login({ body: { message, signature: form(await signed(hashMessage(message))) } });
  };
  for (const [name, form, holds] of forms)
    expect([name, (await logIn(form)).kind]).toEqual([name, holds ? 'ok' : 'refused']);

  const owner = await world.newOwner();
  const { token } = owner;
  const { agent } = await world.gateway(owner);
  const ofOwner = (hash: Hex) => sign({ hash, privateKey: owner.wallet.privateKey, to: 'hex' });
  for (const [name, form, holds] of forms) {
    const body = { title: name, perTxLimit: '1', totalBudget: '20', validDays: 1 };
    const { mandateId, typedData } = expectOk('draft', await dashboard.createMandate({ token, body }));
    const signature = form(await ofOwner(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])));
    const answer = await dashboard.signMandate({ token, body: { mandateId, signature } });
    expect([name, answer.kind]).toEqual([name, holds ? 'ok' : 'refused']);
    // What is active here is what the gateway pays under.
    const { code } = await agent.call({ ...report, toolName: 'get_quote' });
    expect([name, code]).toEqual([name, 'SUCCESS']);
  }

  for (const [name, form, holds] of forms) {
    const { approvalId, typedData } = approvalIn(await agent.call(report));
    const signature = form(await ofOwner(hashTypedData(typedData)));
    const params = { approvalId };
    const answer = await dashboard.approveApproval({ token, params, body: { signature } });
    expect([name, answer.kind]).toEqual([name, holds ? 'ok' : 'refused']);
    const { code } = await agent.call({ ...report, paymentPayload: { approvalId, signature } });
    expect([name, code]).toEqual([name, holds ? 'SUCCESS' : 'PAYMENT_PAYLOAD_INVALID']);
  }
});
