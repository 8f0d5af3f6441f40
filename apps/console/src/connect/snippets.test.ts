import { expect, test } from 'vitest';
import { clients, isGatewayUrl, isOnLoopback, isToken, snippetOf } from './snippets.ts';

const gateway = { url: 'http://127.0.0.1:4020/mcp', token: 'abc-DEF_123' };
const textOf = (client: (typeof clients)[number]) => snippetOf(client, gateway)?.text ?? '';

test('each client has its own snippet with address and token; ChatGPT, which takes no token, has none [dashboard.console.connect]', () => {
  expect(textOf('claudeCode')).toBe(
    'claude mcp add --transport http countersign http://127.0.0.1:4020/mcp --header "Authorization: Bearer abc-DEF_123"',
  );
  expect(JSON.parse(textOf('cursor'))).toEqual({
    mcpServers: {
      countersign: { url: gateway.url, headers: { Authorization: 'Bearer abc-DEF_123' } },
    },
  });
  expect(JSON.parse(textOf('claudeDesktop')).mcpServers.countersign).toMatchObject({
    command: 'npx',
    env: { AUTHORIZATION: 'Bearer abc-DEF_123' },
  });
  expect(snippetOf('chatGpt', gateway)).toBeNull();
});

test('the snippet of VS Code, which is kept with a project, holds no token [dashboard.console.connect]', () => {
  const { inputs, servers } = JSON.parse(textOf('vsCode'));
  expect(servers.countersign).toMatchObject({ type: 'http', url: gateway.url });
  expect(servers.countersign.headers.Authorization).toBe(`Bearer \${input:${inputs[0].id}}`);
  expect(textOf('vsCode')).not.toContain(gateway.token);
});

test('what would mean something else in a shell or in a program is no address and no token [dashboard.console.connect]', () => {
  for (const url of ['http://127.0.0.1:4020/mcp', 'https://[::1]:4020/mcp', 'https://pay.example/a/b-c~d'])
    expect([url, isGatewayUrl(url)]).toEqual([url, true]);
  for (const url of [
    '',
    'ftp://x',
    'http://x/$(id)',
    "http://x/'",
    'http://x/`id`',
    'http://x y',
    'http://x;id',
    'http://x/\n',
  ])
    expect([url, isGatewayUrl(url)]).toEqual([url, false]);
  for (const token of ['abc', 'YWJj+/==', 'a.b~c-d_e'])
    expect([token, isToken(token)]).toEqual([token, true]);
  for (const token of ['', 'a b', 'a"b', '$(id)', "a'b", 'a\\b', 'a\n'])
    expect([token, isToken(token)]).toEqual([token, false]);
});

test('what is on loopback is known to be [dashboard.console.connect]', () => {
  for (const url of ['http://127.0.0.1:4020/mcp', 'http://localhost/mcp', 'http://[::1]:1/'])
    expect([url, isOnLoopback(url)]).toEqual([url, true]);
  for (const url of ['https://127.0.0.1.example/mcp', 'https://localhost.example', 'https://pay.example'])
    expect([url, isOnLoopback(url)]).toEqual([url, false]);
});
