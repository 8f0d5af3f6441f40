import { askAll } from '@countersign/local/init/ask';
import { questions } from '@countersign/local/init/questions';
import { expect, test } from 'vitest';
import { gatewayOn } from './main.ts';

/** What comes of one answer, where every other is the default. */
async function answered(name: string, answer: string) {
  const lines = questions
    .filter(({ of }) => of === undefined || of.includes('gateway') || of.includes('dashboard'))
    .map((question) => (question.name === name ? answer : ''));
  const dialogue = { say: () => undefined, nextLine: async () => lines.shift() ?? null, isPerson: false };
  return askAll(dialogue, gatewayOn);
}

test.each([
  ['paidServices', 'quotes=http://user:pw@host.example/x', /^DOWNSTREAM_MCP_URLS .*user name/],
  ['paidServices', 'quotes=https://a.example,quotes=https://b.example', /two services the id "quotes"$/],
  ['rpcUrl', 'https://user:pw@node.example/', /^EVM_RPC_URL must not contain a user name or password$/],
])(
  'init refuses as %s what the gateway would refuse: %s [system.init.left-alone]',
  async (name, answer, why) => {
    const answers = await answered(name, answer);
    expect(answers).toEqual({ ok: false, error: expect.stringMatching(why) });
    expect(JSON.stringify(answers)).not.toContain('pw');
  },
);

test('init takes what the gateway takes [system.init.left-alone]', async () => {
  expect(await answered('paidServices', 'a=https://a.example, b=https://b.example/mcp')).toMatchObject({
    ok: true,
    value: { paidServices: 'a=https://a.example,b=https://b.example/mcp' },
  });
  expect(await answered('rpcUrl', 'https://node.example/key')).toMatchObject({ ok: true });
});
