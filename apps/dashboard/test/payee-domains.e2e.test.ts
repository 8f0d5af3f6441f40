import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { askDue } from '../src/payees/check-domain.ts';
import { readPayeeFile } from '../src/payees/domain-file.ts';
import { databaseOf, type Person, threeOperators } from './compliance-people.ts';
import { newWallet, openDashboard, type TestDashboard, type Wallet } from './dashboard.ts';
import { fakeDomains, fileOf, proofBy } from './payee-domains.ts';
import { payeesOf } from './payees.ts';
import { urlOf } from './personal-data.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));
const domains = fakeDomains();

let dashboard: TestDashboard;
let payees: ReturnType<typeof payeesOf>;
let operator: Person;
let owner: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators }, { fetchPublic: domains.fetchPublic });
  payees = payeesOf(dashboard);
  operator = await dashboard.newAccount(wallets[0]);
  owner = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

const hourMs = 3_600_000;
const silent = createLogger('dashboard', 'silent');
let made = 0;
const newDomain = () => `shop-${(made += 1)}.example`;

const check = (id: string, by: Person = operator) =>
  dashboard.post(`/api/payees/${id}/check-domain`, {}, by.token);
const verdicts = async (id: string) =>
  (await check(id)).data.payee.domainProofs.map(({ verdict }: { verdict: string }) => verdict);

/** A record of a domain that names its one address. */
async function proved(more: object = {}) {
  const [wallet, domain] = [newWallet(), newDomain()];
  const id = await payees.admitted(operator, [wallet.address], { domain, ...more });
  domains.serve(domain, fileOf(proofBy(wallet, { domain })));
  expect(await verdicts(id)).toEqual(['PROVED']);
  return { wallet, domain, id, address: wallet.address };
}

test('a domain that names an address, signed by it, is evidence with a date, and admits nobody [dashboard.payees.domain]', async () => {
  const [wallet, domain] = [newWallet(), newDomain()];
  domains.serve(domain, fileOf(proofBy(wallet, { domain })));
  expect(await payees.check(owner, wallet.address)).toBe('pending');
  const id = await payees.admitted(operator, [wallet.address], { domain });
  expect((await payees.get(operator, id)).data.payee.domainProofs).toEqual([]);
  const at = dashboard.clock.now.toISOString();
  expect(await check(id)).toMatchObject({
    status: 200,
    data: {
      payee: {
        domainProofs: [
          {
            domain,
            address: wallet.address,
            verdict: 'PROVED',
            until: '2027-06-01T00:00:00.000Z',
            checkedAt: at,
            provedAt: at,
            mark: null,
            markedAt: null,
          },
        ],
      },
    },
  });
  expect(domains.asked.at(-1)).toBe(`https://${domain}/.well-known/countersign-payee.json`);
  await payees.withdraw(operator, id);
  expect(await check(id)).toMatchObject({ status: 409 });
  expect(await payees.check(owner, wallet.address)).toBe('pending');
});

type Attack = (its: { wallet: Wallet; domain: string; thief: Wallet }) => string;
/** The high-s twin of a signature, and the same with v of 0 or 1: both recover the same key elsewhere. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
function bent<P extends { signature: string }>(proof: P, how: 'high-s' | 'small-v'): P {
  const [r, s, v] = [
    proof.signature.slice(0, 66),
    proof.signature.slice(66, 130),
    Number.parseInt(proof.signature.slice(130), 16),
  ];
  const twin = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  const signature =
    how === 'high-s'
      ? `${r}${twin}${(55 - v).toString(16)}`
      : `${r}${s}${(v - 27).toString(16).padStart(2, '0')}`;
  return { ...proof, signature };
}
const attacks: readonly (readonly [string, string, Attack])[] = [
  ['a proof of another address', 'NOT_NAMED', ({ thief, domain }) => fileOf(proofBy(thief, { domain }))],
  [
    'the address, signed by another key',
    'SIGNATURE_INVALID',
    ({ wallet, thief, domain }) => fileOf(proofBy(thief, { domain }, wallet.address)),
  ],
  [
    'a proof for another domain',
    'OTHER_DOMAIN',
    ({ wallet }) => fileOf(proofBy(wallet, { domain: 'other.example' })),
  ],
  [
    'a proof for a domain that looks the same',
    'OTHER_DOMAIN',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain: domain.replace('o', '\u043e') })),
  ],
  [
    'another domain’s proof with this domain written in',
    'SIGNATURE_INVALID',
    ({ wallet, domain }) => fileOf({ ...proofBy(wallet, { domain: 'other.example' }), domain }),
  ],
  [
    'a proof whose time is over',
    'PROOF_EXPIRED',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain, notAfter: dashboard.clock.now.toISOString() })),
  ],
  [
    'a proof whose time was written longer',
    'SIGNATURE_INVALID',
    ({ wallet, domain }) =>
      fileOf({
        ...proofBy(wallet, { domain, notAfter: '2026-02-01T00:00:00Z' }),
        notAfter: '2027-06-01T00:00:00Z',
      }),
  ],
  [
    'a proof whose time is to come',
    'NOT_YET_VALID',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain, notBefore: '2027-05-01T00:00:00Z' })),
  ],
  [
    'a proof for one network of many',
    'OTHER_NETWORK',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain, networks: ['eip155:8453'] })),
  ],
  [
    'the high-s twin of the signature',
    'SIGNATURE_INVALID',
    ({ wallet, domain }) => fileOf(bent(proofBy(wallet, { domain }), 'high-s')),
  ],
  [
    'a signature with v of 0 or 1',
    'SIGNATURE_INVALID',
    ({ wallet, domain }) => fileOf(bent(proofBy(wallet, { domain }), 'small-v')),
  ],
  [
    'an address twice',
    'UNREADABLE',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain }), proofBy(wallet, { domain })),
  ],
  [
    'a member twice',
    'UNREADABLE',
    ({ wallet, domain }) =>
      fileOf(proofBy(wallet, { domain })).replace('"domain":', '"domain": "other.example", "domain":'),
  ],
  [
    'a member twice, once with an escape',
    'UNREADABLE',
    ({ wallet, domain }) =>
      fileOf(proofBy(wallet, { domain })).replace('"domain":', '"d\\u006fmain": "other.example", "domain":'),
  ],
  [
    'a member of its own',
    'UNREADABLE',
    ({ wallet, domain }) => fileOf({ ...proofBy(wallet, { domain }), legalName: 'Shop' }),
  ],
  [
    'another version',
    'UNREADABLE',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain })).replace('"version": 1', '"version": 2'),
  ],
  [
    'an end that no database keeps',
    'UNREADABLE',
    ({ wallet, domain }) => fileOf(proofBy(wallet, { domain, notAfter: '0000-01-01T00:00:00Z' })),
  ],
  [
    'an end of too many digits',
    'UNREADABLE',
    ({ wallet, domain }) =>
      fileOf(proofBy(wallet, { domain, notAfter: `2027-06-01T00:00:00.${'1'.repeat(300)}Z` })),
  ],
  ['a list nested without end', 'UNREADABLE', () => '['.repeat(60_000)],
  ['no JSON', 'UNREADABLE', () => '<html>'],
];

test.each(attacks)(
  'a file with %s proves nothing: %s [dashboard.payees.domain.verdict]',
  async (_, verdict, attack) => {
    const [wallet, thief, domain] = [newWallet(), newWallet(), newDomain()];
    const id = await payees.admitted(operator, [wallet.address], { domain });
    domains.serve(domain, attack({ wallet, thief, domain }));
    expect(await verdicts(id)).toEqual([verdict]);
    // It never proved anything, so it takes nothing back either.
    expect(await payees.check(owner, wallet.address)).toBe('approved');
    // The control: the plain file proves it.
    domains.serve(domain, fileOf(proofBy(wallet, { domain })));
    expect(await verdicts(id)).toEqual(['PROVED']);
  },
);

test('a proof for the networks of the address covers it [dashboard.payees.domain.verdict]', async () => {
  const [wallet, domain] = [newWallet(), newDomain()];
  const addresses = [{ address: wallet.address, networks: ['eip155:8453'] }];
  const id = await payees.admitted(operator, [], { domain, addresses });
  domains.serve(domain, fileOf(proofBy(wallet, { domain, networks: ['eip155:8453', 'eip155:1'] })));
  expect(await verdicts(id)).toEqual(['PROVED']);
});

test.each([
  [
    'sends to another host',
    'REDIRECTED',
    'DOMAIN_MOVED',
    ({ domain }) => domains.answer(domain, 301, 'https://new.example/x'),
  ],
  ['has the file no more', 'NO_FILE', 'DOMAIN_MOVED', ({ domain }) => domains.answer(domain, 404)],
  [
    'has a proof for another domain',
    'OTHER_DOMAIN',
    'DOMAIN_MOVED',
    ({ domain, wallet }) => domains.serve(domain, fileOf(proofBy(wallet, { domain: 'new.example' }))),
  ],
  [
    'names another address',
    'NOT_NAMED',
    'ADDRESS_DISOWNED',
    ({ domain }) => domains.serve(domain, fileOf(proofBy(newWallet(), { domain }))),
  ],
] as readonly (readonly [string, string, string, (its: { domain: string; wallet: Wallet }) => void])[])(
  'a domain that vouched and %s has the address paid no more, until it vouches again [dashboard.payees.domain.taken-back]',
  async (_, verdict, mark, turn) => {
    const { id, address, domain, wallet } = await proved();
    turn({ domain, wallet });
    expect(await payees.check(owner, address)).toBe('approved');
    const markedAt = dashboard.clock.now.toISOString();
    expect((await check(id)).data.payee.domainProofs).toMatchObject([{ verdict, mark, markedAt }]);
    expect(await payees.check(owner, address)).toBe('pending');
    expect((await payees.of(operator, address)).vouching).toBe(mark);
    const named = await dashboard.request('GET', `/api/payees/name/${address}`, { token: owner.token });
    expect(named.data.business).toBeNull();
    // Silence is no vouching.
    domains.silence(domain);
    expect((await check(id)).data.payee.domainProofs).toMatchObject([
      { verdict: 'UNREACHABLE', mark, markedAt },
    ]);
    expect(await payees.check(owner, address)).toBe('pending');
    domains.serve(domain, fileOf(proofBy(wallet, { domain })));
    expect((await check(id)).data.payee.domainProofs).toMatchObject([{ verdict: 'PROVED', mark: null }]);
    expect(await payees.check(owner, address)).toBe('approved');
  },
);

test.each([
  ['cannot be reached', ({ domain }) => domains.silence(domain)],
  ['answers an error', ({ domain }) => domains.answer(domain, 503)],
  ['has a file that nobody can read', ({ domain }) => domains.serve(domain, '{')],
  [
    'has a signature that is none',
    ({ domain, wallet }) =>
      domains.serve(domain, fileOf({ ...proofBy(wallet, { domain }), signature: '0x' })),
  ],
  [
    'has a proof whose time is over',
    ({ domain, wallet }) =>
      domains.serve(domain, fileOf(proofBy(wallet, { domain, notAfter: '2026-02-01T00:00:00Z' }))),
  ],
] as readonly (readonly [string, (its: { domain: string; wallet: Wallet }) => void])[])(
  'a domain that vouched and %s takes nothing back [dashboard.payees.domain.taken-back]',
  async (_, turn) => {
    const { id, address, domain, wallet } = await proved();
    turn({ domain, wallet });
    expect((await check(id)).data.payee.domainProofs).toMatchObject([{ mark: null }]);
    expect(await payees.check(owner, address)).toBe('approved');
  },
);

test('what a domain took back one operator alone lifts by no change that only keeps or narrows the record [dashboard.payees.domain.taken-back]', async () => {
  const { id, address, domain } = await proved();
  domains.answer(domain, 404);
  await check(id);
  const facts = payees.facts([address], { domain });
  expect(await payees.change(operator, id, 1, facts)).toMatchObject({ status: 200 });
  expect((await payees.of(operator, address)).vouching).toBe('DOMAIN_MOVED');
  // Evidence that was added is a decision in sight of it.
  const links = ['https://register.example/HRB/1', 'https://register.example/HRB/2'];
  expect(await payees.change(operator, id, 2, { ...facts, links })).toMatchObject({ status: 200 });
  expect(await payees.check(owner, address)).toBe('approved');
  await check(id);
  expect(await payees.check(owner, address)).toBe('approved');
});

test('what the domain of a proposal says stops nothing that counts [dashboard.payees.domain.taken-back]', async () => {
  const four = await openDashboard(
    { operators, review: { validDays: 365, fourEyes: true } },
    { fetchPublic: domains.fetchPublic },
  );
  try {
    const desk = payeesOf(four);
    const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
    const payer = await four.newAccount();
    const [wallet, before, after] = [newWallet(), newDomain(), newDomain()];
    const { id } = (await desk.create(one, [wallet.address], { domain: before })).data.payee;
    await desk.agree(other, id, 1);
    await desk.change(one, id, 1, desk.facts([wallet.address], { domain: after }));
    domains.serve(after, fileOf(proofBy(wallet, { domain: after })));
    const ask = () => four.post(`/api/payees/${id}/check-domain`, {}, one.token);
    expect(
      (await ask()).data.payee.domainProofs
        .map(({ domain, verdict }: { domain: string; verdict: string }) => `${domain} ${verdict}`)
        .toSorted(),
    ).toEqual([`${after} PROVED`, `${before} UNREACHABLE`].toSorted());
    domains.answer(after, 404);
    await ask();
    expect(await desk.check(payer, wallet.address)).toBe('approved');
    // Agreed on in sight of it, it counts, and is asked anew.
    await desk.agree(other, id, 2);
    expect(await desk.check(payer, wallet.address)).toBe('approved');
  } finally {
    await four.stop();
  }
});

test('an answer that was asked for earlier changes nothing [dashboard.payees.domain.again]', async () => {
  const { id, domain } = await proved();
  const database = await databaseOf(dashboard);
  const later = `update dashboard.payee_proof set checked_at = checked_at + interval '1 second' where payee_id = $1`;
  await database.query(later, [id]);
  domains.answer(domain, 404);
  expect((await check(id)).data.payee.domainProofs).toMatchObject([{ verdict: 'PROVED', mark: null }]);
});

test('only operators ask a domain [dashboard.payees.operators-only]', async () => {
  const { id } = await proved();
  const before = domains.asked.length;
  expect(await check(id, owner)).toMatchObject({ status: 403, code: 80000004 });
  expect(await check('pay_unknown')).toMatchObject({ status: 404 });
  expect(domains.asked.length).toBe(before);
});

test('a domain is asked again when its word is a day old, and each hour once it took something back [dashboard.payees.domain.again]', async () => {
  const { address, domain } = await proved();
  domains.answer(domain, 404);
  const pool = createPool(urlOf(dashboard), silent);
  onTestFinished(() => pool.end());
  const { fetchPublic } = domains;
  const parts = {
    pool,
    fetchPublic,
    signedBy: async () => null,
    chain: 'eip155:8453',
    now: () => dashboard.clock.now,
  };
  const turn = async () => {
    const before = domains.asked.length;
    await askDue(parts, new AbortController().signal, silent);
    return domains.asked.slice(before).filter((url) => new URL(url).host === domain).length;
  };
  dashboard.clock.advance(23 * hourMs);
  expect(await turn()).toBe(0);
  dashboard.clock.advance(hourMs);
  expect(await turn()).toBe(1);
  // The session of before is over.
  operator = await dashboard.newAccount(wallets[0]);
  expect((await payees.of(operator, address)).vouching).toBe('DOMAIN_MOVED');
  dashboard.clock.advance(hourMs / 2);
  expect(await turn()).toBe(0);
  dashboard.clock.advance(hourMs / 2);
  expect(await turn()).toBe(1);
  // Whoever stops hears nobody, and writes nothing down.
  dashboard.clock.advance(hourMs);
  await askDue({ ...parts, fetchPublic: () => expect.fail('asked') }, AbortSignal.abort(), silent);
  expect(await turn()).toBe(1);
});

test('one record whose check fails has its turn like any other, and stops no other’s [dashboard.payees.domain.again]', async () => {
  const pool = createPool(urlOf(dashboard), silent);
  onTestFinished(() => pool.end());
  const [broken, sound] = [newDomain(), newDomain()];
  const id = await payees.admitted(operator, [newWallet().address], { domain: broken });
  await payees.admitted(operator, [newWallet().address], { domain: sound });
  const asked: string[] = [];
  const parts = {
    pool,
    signedBy: async () => null,
    chain: 'eip155:8453',
    now: () => dashboard.clock.now,
    fetchPublic: (url: string) => {
      asked.push(new URL(url).host);
      if (asked.at(-1) === broken) throw new Error('what nobody thought of');
      return domains.fetchPublic(url);
    },
  };
  await askDue(parts, new AbortController().signal, silent);
  expect(asked).toEqual(expect.arrayContaining([broken, sound]));
  const { domainProofs } = (await payees.get(operator, id)).data.payee;
  expect(domainProofs).toMatchObject([{ verdict: 'UNREADABLE', mark: null }]);
  asked.length = 0;
  await askDue(parts, new AbortController().signal, silent);
  expect(asked).toEqual([]);
});

test.each(['xn--a.example', 'shop.0x1', '127.1'])(
  '%s is no domain of a record, and one of before is not reached [dashboard.payees.domain]',
  async (domain) => {
    expect(await payees.create(operator, [newWallet().address], { domain })).toMatchObject({ status: 400 });
    expect(await readPayeeFile(domains.fetchPublic, domain)).toBe('UNREACHABLE');
  },
);

test('a dashboard asks by itself once it is up [dashboard.payees.domain.again]', async () => {
  const domain = newDomain();
  await payees.admitted(operator, [newWallet().address], { domain });
  const { storage } = dashboard.config;
  const other = await openDashboard(
    { storage },
    { fetchPublic: domains.fetchPublic, now: () => dashboard.clock.now },
  );
  await expect.poll(() => domains.asked.some((url) => new URL(url).host === domain)).toBe(true);
  await other.stop();
});
