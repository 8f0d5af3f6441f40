import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './fixtures/world.ts';

/** What the official suite holds a server with nothing but tools to. */
const applicable = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
];

/** It looks at a stream that the server closes early, which the specification leaves open; where none is closed it judges nothing. */
const silent = ['server-sse-polling'];

const needsTool = (tool: string) => `calls the tool ${tool} of the suite's own server`;

/** Every other scenario of the suite, and why it says nothing about the gateway. */
const notApplicable: Readonly<Record<string, string>> = {
  'tools-call-simple-text': needsTool('test_simple_text'),
  'tools-call-image': needsTool('test_image_content'),
  'tools-call-audio': needsTool('test_audio_content'),
  'tools-call-embedded-resource': needsTool('test_embedded_resource'),
  'tools-call-mixed-content': needsTool('test_multiple_content_types'),
  'tools-call-with-logging': needsTool('test_tool_with_logging'),
  'tools-call-error': needsTool('test_error_handling'),
  'tools-call-with-progress': needsTool('test_tool_with_progress'),
  'tools-call-sampling': needsTool('test_sampling'),
  'tools-call-elicitation': needsTool('test_elicitation'),
  'elicitation-sep1034-defaults': needsTool('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': needsTool('test_elicitation_sep1330_enums'),
  'json-schema-2020-12': 'lists the tool json_schema_2020_12_tool of the suite’s own server',
  'logging-set-level': 'the gateway sends no log messages to agents: no capability "logging"',
  'completion-complete': 'the gateway completes nothing: no capability "completions"',
  'resources-list': 'no capability "resources"',
  'resources-read-text': 'no capability "resources"',
  'resources-read-binary': 'no capability "resources"',
  'resources-templates-read': 'no capability "resources"',
  'resources-subscribe': 'no capability "resources"',
  'resources-unsubscribe': 'no capability "resources"',
  'prompts-list': 'no capability "prompts"',
  'prompts-get-simple': 'no capability "prompts"',
  'prompts-get-with-args': 'no capability "prompts"',
  'prompts-get-embedded-resource': 'no capability "prompts"',
  'prompts-get-with-image': 'no capability "prompts"',
};

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/conformance/package.json');
const program = join(dirname(manifest), 'dist/index.js');

/** What the suite prints. A scenario that fails ends it with code 1, which rejects. */
const suite = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [program, ...args])).stdout;

let world: World;
let gateway: Awaited<ReturnType<World['gateway']>>;

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.gateway(await world.newOwner());
});
afterAll(() => world?.stop());

const run = (scenario: string) => suite('server', '--url', gateway.url, '--scenario', scenario);

test('each scenario of the official suite has its place here', async () => {
  const listed = (await suite('list', '--server')).matchAll(/^ {2}- (\S+)$/gm);
  const placed = new Set([...applicable, ...silent, ...Object.keys(notApplicable)]);
  expect(new Set(Array.from(listed, ([, name]) => name))).toEqual(placed);
});

test.each(applicable)(
  'the official scenario %s passes [gateway.http.official-scenarios]',
  async (scenario) => {
    expect(await run(scenario)).toMatch(/^Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings$/m);
  },
);

test.each(silent)(
  'the official scenario %s finds no fault [gateway.http.official-scenarios]',
  async (scenario) => {
    expect(await run(scenario)).toMatch(/^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m);
  },
);

test('a capability that would make another scenario applicable is not claimed', () => {
  expect(gateway.agent.client.getServerCapabilities()).toEqual({ tools: {} });
});
