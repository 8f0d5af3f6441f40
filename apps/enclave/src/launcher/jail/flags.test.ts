import { expect, test } from 'vitest';
import { chromiumFlags } from './flags.ts';

const flags = chromiumFlags({ proxyPort: 4321, profile: '/tmp/profile', sandbox: true });

test('nothing weakens the browser', () => {
  for (const flag of flags)
    expect(flag).not.toMatch(
      /no-sandbox|web-security|site-isolation|single-process|no-zygote|ignore-certificate|insecure|debugging-port/,
    );
});

test('all goes through the proxy, the loopback too, and nothing beside it', () => {
  expect(flags).toContain('--proxy-server=http://127.0.0.1:4321');
  expect(flags.find((flag) => flag.startsWith('--proxy-bypass-list='))).toMatch(
    /=<-loopback>;nowhere\.invalid$/,
  );
  expect(flags).toContain('--disable-quic');
  expect(flags.find((flag) => flag.startsWith('--disable-features='))).toContain('EncryptedClientHello');
  expect(flags.filter((flag) => flag.startsWith('--disable-features='))).toHaveLength(1);
});

test('the sandbox is given up only where that was decided', () => {
  expect(chromiumFlags({ proxyPort: 1, profile: '/p', sandbox: false })).toContain('--no-sandbox');
});

test('nothing of a page is painted anew by itself, where what stood in it before would show [vault.sandbox.masking.pictures-alike]', () => {
  expect(flags).toContain('--disable-partial-raster');
});
