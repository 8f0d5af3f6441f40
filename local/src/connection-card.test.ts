import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadKeys } from './keys.ts';
import { blankCard } from './parts.ts';

test('docs/spec/connection-card.md names every member of the card, and no other [system.card.page]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-card-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const page = readFileSync(join(import.meta.dirname, '../../docs/spec/connection-card.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(named).toHaveLength(new Set(named).size);
  expect(new Set(named)).toEqual(new Set(Object.keys(blankCard(loadKeys(dir)))));
});
