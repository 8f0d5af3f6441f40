import { createLogger } from '@countersign/service/logger';
import { expect, onTestFinished, test } from 'vitest';
import { type AnnounceGateway, keepAnnouncingGateway } from './announce.ts';

const access = {
  publicUrl: new URL('https://gateway.example'),
  resource: 'https://gateway.example/mcp',
  issuer: 'https://dashboard.example',
};

test('a gateway announces itself until the dashboard has a place for it [gateway.oauth.announce]', async () => {
  const answers: Awaited<ReturnType<AnnounceGateway>>[] = ['not-now', 'full', { issuer: access.issuer }];
  let asked = 0;
  const announce = () => Promise.resolve(answers[asked++] ?? 'full');
  const { stop } = keepAnnouncingGateway(access, announce, createLogger('test', 'silent'), 1);
  onTestFinished(stop);
  await expect.poll(() => asked).toBe(3);
});
