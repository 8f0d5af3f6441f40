import { expect, test } from 'vitest';
import { privateTargetIn } from './targets.ts';

const hosts = [
  '127.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  'localhost',
];

test.each(hosts)(
  'a definition that leads to %s says where it does [control-plane.connector.private-targets]',
  (host) => {
    const url = `https://${host}/x`;
    const open = 'https://shop.example';
    expect(privateTargetIn('http', { servers: [{ url: open }, { url }] })).toBe('definition.servers.1');
    expect(privateTargetIn('mcp-tool', { url })).toBe('definition.url');
    expect(privateTargetIn('browser', { start_url: open, allowed_urls: [url] })).toBe(
      'definition.allowed_urls.0',
    );
  },
);

test('a public one leads to none', () => {
  expect(privateTargetIn('mcp-tool', { url: 'https://mcp.example/mcp' })).toBeNull();
  expect(privateTargetIn('postgres', { actions: {} })).toBeNull();
});
