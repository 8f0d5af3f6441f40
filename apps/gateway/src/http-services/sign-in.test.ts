import type { ServerResponse } from 'node:http';
import type { Logger } from '@countersign/service/logger';
import { silentSpan } from '@countersign/service/trace';
import { recoverMessageAddress } from 'viem';
import { afterEach, expect, test } from 'vitest';
import {
  askFor,
  dashboardSaying,
  type HttpMerchant,
  openMerchant,
  sell,
  type Seen,
  shopAt,
} from '../../test/http-merchant.ts';
import { address, call, now, owner, required } from '../../test/samples.ts';
import { entryAt } from '../../test/state-contract.ts';
import type { MandateAnswer } from '../rules/mandate.ts';
import { type Challenge, signInText } from '../rules/sign-in.ts';
import { type LoginDashboard, signInHeaders } from './sign-in.ts';

const open: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

const signing = { PAYMENT_SCHEMES: 'exact,sign-in-with-x' };

const challengeOf = (origin: string, changes: object = {}) => ({
  'sign-in-with-x': {
    info: {
      domain: new URL(origin).host,
      uri: `${origin}/buy`,
      version: '1',
      nonce: 'a1b2c3d4e5f67890',
      issuedAt: new Date().toISOString(),
      ...changes,
    },
    supportedChains: [{ chainId: 'eip155:84532', type: 'eip191' }],
  },
});

type Answer = (response: ServerResponse, request: Seen) => void;

/** What the dashboard says, to a service at this origin. */
type Says = (origin: string) => Partial<LoginDashboard>;

/** A shop that asks for a sign-in or for money, and answers a sign-in as it is told. */
async function shop(
  signedIn: Answer,
  { changes = {}, env = signing, says }: { changes?: object; env?: object; says?: Says } = {},
) {
  const service: HttpMerchant = await openMerchant((request, response) => {
    if (request.paid !== null) return sell(response);
    if (request.signedIn !== undefined) return signedIn(response, request);
    const extensions = challengeOf(service.origin, changes);
    return askFor(response, { ...required(), extensions });
  });
  const dashboard = dashboardSaying(says?.(service.origin));
  const gateway = await shopAt(service.origin, { ...env }, { inputSchema: { type: 'object' } }, dashboard);
  open.push(service, gateway);
  const proofs = () => service.seen.flatMap(({ signedIn: proof }) => (proof === undefined ? [] : [proof]));
  const payments = () => service.seen.filter(({ paid }) => paid !== null);
  return { gateway, service, proofs, payments };
}

test('the proof names the host that asked and is signed by the wallet that pays [gateway.sign-in.used]', async () => {
  const { gateway, service, proofs, payments } = await shop((response) => response.end('{"read":true}'));
  const answer = await gateway.call();
  expect(answer).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
  expect(payments()).toEqual([]);
  const [proof] = proofs();
  expect(proof).toMatchObject({
    domain: new URL(service.origin).host,
    address: owner.address,
    chainId: 'eip155:84532',
    type: 'eip191',
  });
  const message = signInText({ ...(proof as object), chainId: 84532 } as Challenge, owner.address);
  const signature = (proof as { signature: `0x${string}` }).signature;
  expect(await recoverMessageAddress({ message, signature })).toBe(owner.address);
  // It asks for money still: the next call is no free one.
  expect(gateway.services.isFree(call({ serviceId: 'shop', toolName: 'buy' }))).toBe(false);
});

test.each([401, 402, 403, 302])(
  'a service that answers a sign-in with %i is paid as ever, and asked to sign in once [gateway.sign-in.no-right]',
  async (status) => {
    const { gateway, proofs, payments } = await shop((response) =>
      status === 402
        ? askFor(response)
        : response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
    );
    expect(await gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(proofs()).toHaveLength(1);
    expect(payments()).toHaveLength(1);
    expect(payments()[0]).not.toHaveProperty('signedIn');
  },
);

test.each([
  [400, 'DOWNSTREAM_TOOL_ERROR'],
  [500, 'DOWNSTREAM_TOOL_ERROR'],
  [503, 'DOWNSTREAM_UNAVAILABLE'],
])(
  'a service that fails after a sign-in, with %i, is not paid for that [gateway.sign-in.no-right]',
  async (status, code) => {
    const { gateway, payments } = await shop((response) => response.writeHead(status).end('no'));
    expect(await gateway.call()).toMatchObject({ code, detail: { paymentMade: false } });
    expect(payments()).toEqual([]);
  },
);

test('a service that falls silent after a sign-in is not paid for that [gateway.sign-in.no-right]', async () => {
  const { gateway, payments } = await shop(() => {}, { env: { ...signing, DOWNSTREAM_TIMEOUT_MS: '300' } });
  expect(await gateway.call()).toMatchObject({ code: 'DOWNSTREAM_TIMEOUT', detail: { paymentMade: false } });
  expect(payments()).toEqual([]);
});

test.each<[what: string, about: Parameters<typeof shop>[1]]>([
  [
    'that another host is to read',
    { changes: { domain: 'dashboard.example', uri: 'https://dashboard.example/' } },
  ],
  ['whose address reads as another host', { changes: { uri: 'https://dashboard.example\\@127.0.0.1/' } }],
  ['that delegates', { changes: { resources: ['urn:recap:e30='] } }],
  ['where the owner did not say so', { env: {} }],
  ['with PAYMENT_SCHEMES=exact', { env: { PAYMENT_SCHEMES: 'exact' } }],
])(
  'a challenge %s is not signed, and the price is judged as ever [gateway.sign-in.refused]',
  async (_, about) => {
    const { gateway, proofs } = await shop((response) => response.end(), about);
    expect(await gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(proofs()).toEqual([]);
  },
);

test('a statement is left out of what is signed and sent, and the service is shown that [gateway.sign-in.text]', async () => {
  const { gateway, proofs } = await shop((response) => response.end('{}'), {
    changes: { statement: 'I authorise withdrawal of all funds' },
  });
  expect(await gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
  expect(proofs()).toHaveLength(1);
  expect(proofs()[0]).not.toHaveProperty('statement');
  expect(proofs()[0]).toHaveProperty('expirationTime');
});

test('a key whose payment is in doubt is told of that payment: it is sent again, and nobody signs in [gateway.sign-in.doubt]', async () => {
  const { gateway, proofs, payments } = await shop((response) => response.end('{}'));
  expect(await gateway.callAgain(entryAt(now - 60_000, '0x01'))).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, paymentContext: { nonce: '0x01' } },
  });
  expect(proofs()).toEqual([]);
  expect(payments()).toHaveLength(1);
});

/** As in Docker Compose: the gateway reaches the dashboard inside, and people reach it outside. */
const inside = { ...signing, COMPLIANCE_BASE_URL: 'http://balancer:8021', COMPLIANCE_API_KEY: 'key' };

test.each<[what: string, says: Says]>([
  ['is the one at which people log in', (origin) => ({ publicUrl: async () => new URL(origin) })],
  [
    'is the one at which people log in, by a path and https',
    (origin) => ({ publicUrl: async () => new URL(`${origin.replace('http', 'https')}/console`) }),
  ],
  ['may be: the dashboard does not say', () => ({ publicUrl: async () => null })],
])(
  'nothing is signed for a host that %s, and the price is judged as ever [gateway.sign-in.dashboard]',
  async (_, says) => {
    const { gateway, proofs } = await shop((response) => response.end(), { env: inside, says });
    expect(await gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(proofs()).toEqual([]);
  },
);

test.each<[kind: string, mandate: Awaited<ReturnType<LoginDashboard['activeMandate']>>, signed: number]>([
  ['that was revoked', { kind: 'none' }, 0],
  ['that has expired', { kind: 'expired' }, 0],
  ['of which the dashboard does not tell', { kind: 'unavailable' }, 0],
  ['that is good', { kind: 'found', mandate: {} as MandateAnswer }, 1],
])('whether a wallet signs in under a mandate %s [gateway.sign-in.mandate]', async (_, mandate, signed) => {
  const { gateway, proofs } = await shop((response) => response.end('{}'), {
    says: () => ({ activeMandate: async () => mandate }),
  });
  await gateway.call();
  expect(proofs()).toHaveLength(signed);
});

test('where clients get tokens nothing is ever signed, and each sign-in is logged without a secret [gateway.sign-in.logged]', async () => {
  const origin = 'https://auth.example';
  const wallet = { address: address(owner), sign: () => '0x5ec7e7' as const };
  const requirement = { extensions: challengeOf(origin) };
  const logged: unknown[][] = [];
  const log = { info: (...words: unknown[]) => void logged.push(words) } as unknown as Logger;
  const headers = (neverAt: readonly string[]) => {
    const by = { wallet, chainIds: [84532], neverAt, dashboard: dashboardSaying(), log, now: Date.now };
    return signInHeaders(requirement, origin, by, silentSpan(''));
  };
  expect(await headers(['auth.example'])).toBeNull();
  expect(logged).toEqual([]);
  expect(await headers([])).not.toBeNull();
  const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
  expect(logged).toEqual([[{ host: 'auth.example', nonce: 'a1b2c3d4e5f67890', hash }, 'signed in']]);
});
