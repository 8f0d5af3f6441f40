import { basename } from 'node:path';
import { enclaveCommands } from '@countersign/protocol/enclave/commands';
import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { citations } from './citations.ts';
import { type Section, sections } from './requirements.ts';

const testsOf = citations();
const pages = [...new Set(sections.map(({ page }) => page))].map(
  (page) => [page, sections.filter((section) => section.page === page)] as const,
);

test.each(pages)(
  'docs/spec/%s.md says what is required, and which test shows it: "npm run docs" writes it [system.repository.specification]',
  async (page, parts) => {
    await expect(pageOf(page, parts)).toMatchFileSnapshot(`../docs/spec/${page}.md`);
  },
);

test('docs/spec/vectors/enclave-commands.json has every command of the enclave [vault.enclave.frame-vectors]', async () => {
  const commands = Object.entries(enclaveCommands).map(([name, { request, reply, ...bodies }]) => [
    name,
    {
      ...bodies,
      request: toJSONSchema(request, { io: 'input', unrepresentable: 'any' }),
      reply: toJSONSchema(reply, { io: 'input', unrepresentable: 'any' }),
    },
  ]);
  const text = `${JSON.stringify(Object.fromEntries(commands), null, 1)}\n`;
  await expect(text).toMatchFileSnapshot('../docs/spec/vectors/enclave-commands.json');
});

function pageOf(page: string, parts: readonly Section[]): string {
  const count = parts.reduce((sum, { requirements }) => sum + requirements.length, 0);
  return (
    [
      `# Specification: ${page}`,
      'Written by `npm run docs` from [`conformance/requirements`](../../conformance/requirements); do not edit it here. ' +
        `${count} statements, each with the tests that hold us to it.`,
      parts.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n'),
      ...parts.map(sectionOf),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

function sectionOf({ title, requirements }: Section): string {
  const lines = requirements.map(({ id, behaviour }) => {
    const tests = (testsOf.get(id) ?? []).map((path) => `[${basename(path, '.test.ts')}](../../${path})`);
    return `- \`${id}\`: ${escaped(behaviour)} (${tests.join(', ')})`;
  });
  return `## ${title}\n\n${lines.join('\n')}`;
}

/** As GitHub makes them of headings. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

/** Markdown would take these for markup. */
const escaped = (text: string): string => text.replaceAll(/[<>*]/g, String.raw`\$&`);
