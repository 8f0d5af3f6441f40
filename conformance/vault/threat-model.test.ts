import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the threat model says what JavaScript cannot wipe, and is found from where people begin [vault.keys.threat-model]', () => {
  const section = read('docs/threat-model.md').split('## What JavaScript cannot wipe')[1]?.split('\n## ')[0];
  for (const named of ['string', 'plain path', 'JSON.parse', 'garbage collector', 'Swap'])
    expect(section).toContain(named);
  for (const page of ['README.md', 'ARCHITECTURE.md']) expect(read(page)).toContain('(docs/threat-model.md)');
});
