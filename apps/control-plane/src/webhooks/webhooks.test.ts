import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPost } from './post.ts';
import { isPrivateTarget } from './private-target.ts';
import { delayAfter } from './schedule.ts';
import { keyOfSecret, secretText, signedHeaders } from './sign.ts';

describe('the signature', () => {
  test('is that of the example of Standard Webhooks [control-plane.webhook.signature]', () => {
    const key = keyOfSecret('whsec_plJ3nmyCDGBKInavdOK15jsl');
    const headers = signedHeaders(
      [key],
      'msg_loFOjxBNrRLzqYUf',
      1731705121,
      '{"event_type":"ping","data":{"success":true}}',
    );
    expect(headers).toMatchObject({
      'webhook-id': 'msg_loFOjxBNrRLzqYUf',
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    });
    expect(secretText(key)).toBe('whsec_plJ3nmyCDGBKInavdOK15jsl');
  });
});

describe('attempts', () => {
  test('come at once, after 1 s, after 5 s, then further and further apart, within 24 hours', () => {
    const all = Array.from({ length: 9 }, (_, i) => delayAfter(i + 1, 0.5) ?? 0);
    expect(all.slice(0, 3)).toEqual([1000, 5000, 30_000]);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    const whole = all.reduce((sum, delay) => sum + delay, 0);
    expect(whole).toBeLessThanOrEqual(24 * 3_600_000);
    expect(whole).toBeGreaterThan(23 * 3_600_000);
    expect(delayAfter(10, 0.5)).toBeNull();
  });

  test('never come before the receiver said, within a day', () => {
    expect(delayAfter(1, 0, 60)).toBe(60_000);
    expect(delayAfter(4, 0, 1)).toBe(240_000);
    expect(delayAfter(1, 0, 10 ** 9)).toBe(86_400_000);
  });
});

describe('an attempt', () => {
  let server: Server;
  let url: string;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1;
      const status = Number(request.url?.slice(1, 4));
      response.writeHead(status, { location: 'http://127.0.0.1:1/', 'retry-after': '7' });
      response.end('words of the receiver');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('is a success with 2xx alone; a redirect is not followed [control-plane.webhook.no-redirects]', async () => {
    const post = createPost(true);
    expect(await post(`${url}/204`, '{}', {})).toMatchObject({ kind: 'delivered', outcome: '204' });
    for (const status of [301, 302, 307, 308, 404, 500])
      expect(await post(`${url}/${status}`, '{}', {})).toEqual({
        kind: 'failed',
        outcome: String(status),
        retryAfter: 7,
      });
    expect(await post(`${url}/410`, '{}', {})).toMatchObject({ kind: 'gone' });
    expect(await post('http://127.0.0.1:1/', '{}', {})).toMatchObject({ outcome: 'ECONNREFUSED' });
  });

  test('never goes to a private address, however it is written or named [control-plane.webhook.private-targets]', async () => {
    const post = createPost(false);
    const before = asked;
    const { port } = new URL(url);
    expect(await post(`${url}/200`, '{}', {})).toMatchObject({
      kind: 'failed',
      outcome: 'https alone is allowed',
    });
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '0', '[::ffff:127.0.0.1]'];
    const further = [
      '169.254.169.254',
      '10.0.0.1',
      '100.64.0.1',
      '192.168.0.1',
      '[fd00:ec2::254]',
      '[64:ff9b::7f00:1]',
    ];
    for (const host of [...hosts, ...further])
      expect({ host, ...(await post(`https://${host}:${port}/200`, '{}', {})) }).toMatchObject({
        host,
        kind: 'failed',
        outcome: 'private address',
      });
    expect(asked).toBe(before);
  });

  test.each([
    ['127.0.0.1', true],
    ['[::1]', true],
    ['[::ffff:a00:1]', true],
    ['169.254.169.254', true],
    ['localhost', true],
    ['box.local', true],
    ['intranet', true],
    ['8.8.8.8', false],
    ['[2606:4700::1111]', false],
    ['hooks.example.com', false],
  ])('where a webhook may lead is told by its address already: %s', (host, isPrivate) => {
    expect(isPrivateTarget(host)).toBe(isPrivate);
  });
});
