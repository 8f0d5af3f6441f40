import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoMandate, openDashboard, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

const identity = { fullName: 'Ada', country: 'DE', documentType: 'passport', documentNumber: 'C01' };

test.each([
  ['/api/keys', (name: string) => ({ name })],
  ['/api/mandates/intent/create', (title: string) => ({ ...demoMandate, title })],
  ['/api/kyc/submit', (fullName: string) => ({ ...identity, fullName })],
  ['/api/kyc/submit', (documentNumber: string) => ({ ...identity, documentNumber })],
])(
  'a name of %s that hides a character or turns the reading order is refused, and one in any script is kept [dashboard.names.legible]',
  async (path, body) => {
    const { token } = await dashboard.newAccount();
    for (const [name, code] of [
      ['trav\u202ele', 'U+202E'],
      ['pay\u200bpal', 'U+200B'],
    ] as const) {
      const refused = await dashboard.post(path, body(name), token);
      expect(refused).toMatchObject({ status: 400, code: 80000012 });
      expect(refused.msg).toContain(
        `must not contain invisible characters or characters that change the reading order: ${code}`,
      );
    }
    expect([200, 201]).toContain((await dashboard.post(path, body('علی\u200cرضا'), token)).status);
  },
);
