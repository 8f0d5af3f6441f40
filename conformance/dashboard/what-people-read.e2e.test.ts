import { randomBytes } from 'node:crypto';
import { expectOk } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const newWallet = () => {
  const privateKey = newPrivateKey();
  return { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
};
const operator = newWallet();

let dashboard: OwnDashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard({ OPERATOR_ADDRESSES: operator.address });
});
afterAll(() => dashboard?.stop());

const impossible = { kind: 'refused', status: 400, code: 'INVALID_PARAM' };
/** Spaces, a Braille pattern without a dot, a Hangul filler, an accent on nothing. */
const blank = [' ', '\u00a0\u2003', '\u2800', '\u3164', '\u0301'];

test('a name that shows nothing is refused, whoever stores it [dashboard.names.blank] [dashboard.mandate.title.blank]', async () => {
  const { client, token } = dashboard;
  const limits = { perTxLimit: '1', totalBudget: '20', validDays: 30 };
  const identity = {
    fullName: 'Ada Byron',
    country: 'LI',
    documentType: 'passport',
    documentNumber: 'X1',
  } as const;
  for (const name of blank) {
    expect(await client.createKey({ token, body: { name } })).toMatchObject(impossible);
    expect(await client.createMandate({ token, body: { ...limits, title: name } })).toMatchObject(impossible);
    expect(await client.submitKyc({ token, body: { ...identity, fullName: name } })).toMatchObject(
      impossible,
    );
    expect(await client.submitKyc({ token, body: { ...identity, documentNumber: name } })).toMatchObject(
      impossible,
    );
  }
  expectOk('hand in', await client.submitKyc({ token, body: identity }));
});

test('a reason that shows nothing tells the person nothing, and is refused [dashboard.kyc.reason]', async () => {
  const { client, wallet } = dashboard;
  const desk = await dashboard.logIn(operator);
  const person = newWallet();
  const token = await dashboard.logIn(person);
  const body = {
    fullName: 'Ada Byron',
    country: 'LI',
    documentType: 'passport',
    documentNumber: 'X1',
  } as const;
  expectOk('hand in', await client.submitKyc({ token, body }));
  const { review } = expectOk('status', await client.kycStatus({ token }));
  const params = { id: review?.id ?? '' };
  const decide = (reason: string) =>
    client.decideKycReview({ token: desk, params, body: { decision: 'reject', reason } });
  for (const reason of blank) {
    expect(await decide(reason)).toMatchObject(impossible);
    const about = { address: wallet.address, reason };
    expect(await client.addToDenyList({ token: desk, body: about })).toMatchObject(impossible);
  }
  expectOk('reject', await decide('Der Scan ist unscharf'));
});

test('no text that somebody else wrote begins a cell of the CSV as a formula, however it is disguised [dashboard.transactions.list.csv.formulas]', async () => {
  const { client, url, apiKey, token } = dashboard;
  const reporter = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(url),
    timeoutMs: 10_000,
    apiKey,
  });
  const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
  const disguises = ['', '\t', '\r', '\n', ' ', '\u00a0', '\ufeff', '\u200b', ' \n\u2800'];
  const texts = starts.flatMap((start) => disguises.map((before) => `${before}${start}1+1`));
  for (const text of texts) {
    const txHash = text + randomBytes(16).toString('hex');
    const metadata = { agent: text, toolName: text, reason: text };
    const body = { serviceName: text, serviceResult: 'pass', chain: text, tokenSymbol: text } as const;
    expectOk('report', await reporter.reportTransaction({ body: { ...body, txHash, metadata } }));
  }
  await reporter.close();
  const answer = await fetch(`${url}/api/transactions?scope=myAll&format=csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  const { total } = expectOk('list', await client.listTransactions({ token, query: { scope: 'myAll' } }));
  expect(total).toBe(texts.length);
  // Each of the seven texts of a record stands behind an apostrophe, quoted or not.
  expect(text.match(/(?:^|,)"?'[\s\ufeff\u200b\u2800]*[=+\-@＝＋－＠]1\+1/gm)).toHaveLength(7 * texts.length);
});
