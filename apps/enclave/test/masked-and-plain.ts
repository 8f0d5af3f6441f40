import { afterAll, beforeAll } from 'vitest';
import { boxesIn } from '../src/core/browser/boxes-in.ts';
import { SessionMasker } from '../src/core/session/session-masker.ts';
import { browserFor, type OpenedBrowser, type Site, siteOf } from './chromium.ts';

type Kept = { readonly secrets: readonly string[]; readonly names?: readonly string[] };

/** One site for two browsers, of which one paints over what is kept; `plain`, the control, paints over nothing. */
export type MaskedAndPlain = { site: Site; masked: OpenedBrowser; plain: OpenedBrowser };

/** Opened before the tests of a file, and closed after them. `flags` are of the plain browser, where it has others. */
export function maskedAndPlain(
  { secrets, names = [] }: Kept,
  answer: Parameters<typeof siteOf>[0],
  flags?: readonly string[],
): MaskedAndPlain {
  const both = {} as MaskedAndPlain;
  beforeAll(async () => {
    const masker = new SessionMasker();
    for (const secret of secrets) masker.add(Buffer.from(secret), 'secret');
    for (const name of names) masker.add(Buffer.from(name), 'name');
    both.site = await siteOf(answer);
    const origins = [both.site.url];
    [both.masked, both.plain] = await Promise.all([
      browserFor(origins, {
        findBoxes: async (snapshots, isGiven) =>
          boxesIn(snapshots, { all: masker.nodes, secrets: masker.secretNodes }, isGiven),
        hasSecrets: () => true,
      }),
      browserFor(origins, {}, flags),
    ]);
  });
  afterAll(async () => {
    for (const browser of [both.masked, both.plain]) {
      await browser?.close();
      await browser?.stop();
    }
    await both.site?.stop();
  });
  return both;
}
