import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, openDashboardForTest, type TestDashboard } from '../dashboard.ts';
import { aPassword, aUserName, peopleCalls } from './people.ts';

let dashboard: TestDashboard;
let people: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  people = peopleCalls(dashboard);
});
afterAll(() => dashboard.stop());

const accepting = async (roles: readonly string[], password: object) => {
  const { token } = await dashboard.newAccount();
  return people.accept({ token: (await people.invite(token, roles)).data.token, password });
};

test('user names that differ by case, width or Unicode form are one name [dashboard.people.user-name]', async () => {
  const owner = await dashboard.newAccount();
  const person = await people.newPerson(owner, ['auditor']);
  const wide = person.userName.replace('user', 'ｕｓｅｒ');
  for (const spelled of [person.userName.toUpperCase(), wide, ` ${person.userName} `]) {
    expect(await people.logIn(spelled, person.password)).toMatchObject({ status: 200 });
    const taken = await accepting(['auditor'], { userName: spelled, password: aPassword() });
    expect(taken).toMatchObject({ status: 409, code: 80000003 });
  }
  for (const userName of ['usеr.cyrillic', 'a b', 'ab', '.user', 'us\u0000er', 'ﬁ\u200b-name'])
    expect(await accepting(['auditor'], { userName, password: aPassword() })).toMatchObject({ status: 400 });
});

test('a name that is taken leaves the invitation as it was [dashboard.people.user-name]', async () => {
  const owner = await dashboard.newAccount();
  const { userName } = await people.newPerson(owner, ['auditor']);
  const { token } = (await people.invite(owner.token, ['auditor'])).data;
  const accept = (name: string) =>
    people.accept({ token, password: { userName: name, password: aPassword() } });
  expect(await accept(userName)).toMatchObject({ status: 409 });
  expect(await accept(aUserName())).toMatchObject({ status: 200 });
});

test('a password has at least 12 characters and does not contain the user name [dashboard.people.password]', async () => {
  const userName = aUserName();
  const wide = userName.replace(/[a-z]/g, (letter) =>
    String.fromCodePoint(0xfee0 + (letter.codePointAt(0) ?? 0)),
  );
  const halves = 'e\u0301'.repeat(6);
  for (const password of ['short', 'elevenchars', `xx${userName.toUpperCase()}xx`, `xx${wide}xx`, halves])
    expect(await accepting(['auditor'], { userName, password })).toMatchObject({
      status: 400,
      code: 80000012,
    });
  expect(await accepting(['auditor'], undefined as unknown as object)).toMatchObject({
    status: 400,
    code: 80000012,
  });
});

test('a password counts in each of its Unicode forms [dashboard.people.password]', async () => {
  const userName = aUserName();
  await accepting(['auditor'], { userName, password: 'caf\u00e9 cr\u00e8me \u00e0 midi' });
  expect(await people.logIn(userName, 'cafe\u0301 cre\u0300me a\u0300 midi')).toMatchObject({ status: 200 });
  expect(await people.logIn(userName, 'cafe creme a midi')).toMatchObject({ status: 401, code: 80000019 });
});

test('after five wrong passwords a name waits 15 minutes at that address, spelled in any way [dashboard.people.guesses]', async () => {
  const run = await openDashboardForTest();
  const calls = peopleCalls(run);
  const owner = await run.newAccount();
  const [person, other] = [
    await calls.newPerson(owner, ['auditor']),
    await calls.newPerson(owner, ['auditor']),
  ];
  for (let n = 0; n < 5; n++)
    expect(await calls.logIn(n % 2 ? person.userName.toUpperCase() : person.userName, 'wrong')).toMatchObject(
      {
        status: 401,
        code: 80000019,
      },
    );
  const blocked = await calls.logIn(person.userName, person.password);
  expect(blocked).toMatchObject({ status: 429, code: 80000061 });
  expect(Number(blocked.headers.get('retry-after'))).toBe(15 * 60);
  expect(await calls.logIn(other.userName, other.password)).toMatchObject({ status: 200 });
  run.clock.advance(15 * 60_000 + 1_000);
  expect(await calls.logIn(person.userName, person.password)).toMatchObject({ status: 200 });
});

test('guesses made together do not get past the limit [dashboard.people.guesses]', async () => {
  const run = await openDashboardForTest();
  const calls = peopleCalls(run);
  const { userName } = await calls.newPerson(await run.newAccount(), ['auditor']);
  const replies = await Promise.all(Array.from({ length: 9 }, () => calls.logIn(userName, 'wrong')));
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(4);
});

test('behind 20 that wait nobody waits: the next sign-in is turned away at once [dashboard.people.guesses]', async () => {
  const run = await openDashboardForTest();
  const calls = peopleCalls(run);
  const person = await calls.newPerson(await run.newAccount(), ['auditor']);
  const replies = await Promise.all(Array.from({ length: 29 }, () => calls.logIn(aUserName(), 'wrong')));
  const busy = replies.filter(({ status }) => status === 429);
  expect(busy.length).toBeGreaterThan(0);
  for (const reply of busy) {
    expect(reply).toMatchObject({ code: 80000061, msg: 'too many sign-ins at this moment: wait 1 s' });
    expect(reply.headers.get('retry-after')).toBe('1');
  }
  run.clock.advance(60_000);
  expect(await calls.logIn(person.userName, person.password)).toMatchObject({ status: 200 });
});

test('neither words nor time tell whether a user name exists [dashboard.people.no-oracle]', async () => {
  const run = await openDashboardForTest();
  const calls = peopleCalls(run);
  const owner = await run.newAccount();
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let n = 0; n < 8; n++) {
    const person = await calls.newPerson(owner, ['auditor']);
    for (const [name, times] of [
      [person.userName, known],
      [aUserName(), unknown],
    ] as const) {
      const begun = performance.now();
      const reply = await calls.logIn(name, 'wrong password');
      times.push(performance.now() - begun);
      expect(reply).toMatchObject({ status: 401, code: 80000019, msg: 'user name or password is wrong' });
    }
  }
  // Argon2id is all of it: without it an unknown name would be answered in a twentieth of the time.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
});
