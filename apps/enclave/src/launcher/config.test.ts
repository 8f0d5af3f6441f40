import { fileURLToPath } from 'node:url';
import { fail } from '@countersign/protocol/result';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('CONNECTOR_CA without certificates is refused at start, not at the first service', () => {
  for (const CONNECTOR_CA of [fileURLToPath(import.meta.url), '/nowhere'])
    expect(readConfig({ CONNECTOR_CA })).toEqual(
      fail(['CONNECTOR_CA must be the path of a file of certificates (PEM)']),
    );
});
