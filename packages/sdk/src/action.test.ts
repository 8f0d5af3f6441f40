import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isEndorsed, signStatement } from '@countersign/audit-log/action-statement';
import { localSigner, privateKeyOfSeed, readPublicKey } from '@countersign/audit-log/keys';
import { expect, test } from 'vitest';
import { checkActionStatement, paramsHash } from './action.ts';

const docs = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');
const vector = JSON.parse(docs('action-token-vector.json'));
const about = { publicKey: vector.public_key, service: 'bank', now: new Date('2026-11-25T10:14:59.999Z') };
const refused = (reason: string) => ({ valid: false, reason });

test('the published vector is made and read to the byte [control-plane.action-token.statement]', () => {
  const { claims, statement } = vector;
  const signer = localSigner(privateKeyOfSeed(Buffer.from(vector.seed, 'hex')));
  expect(signStatement(claims, signer)).toBe(statement);
  expect(checkActionStatement(statement, about)).toEqual({ valid: true, claims });
  expect(paramsHash(JSON.parse(vector.params))).toBe(claims.params_hash);
  const audit = readPublicKey(vector.audit_public_key);
  expect(audit !== null && isEndorsed(vector.public_key, vector.signature, audit)).toBe(true);
});

test('the program of the documentation, which has nothing of ours, reads the same in Python [control-plane.action-token.statement]', () => {
  const program = /```python\n([^]*?)```/.exec(docs('action-tokens.md'))?.[1] ?? '';
  const call = 'import sys\nprint(json.dumps(read_statement(sys.argv[1], sys.argv[2])))\n';
  const read = (statement: string) =>
    execFileSync('python3', ['-c', program + call, statement, vector.public_key], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(JSON.parse(read(vector.statement))).toEqual(vector.claims);
  expect(() => read(vector.statement.replace('v4.public.eyJ', 'v4.public.eyK'))).toThrow('Command failed');
});

test('whatever else is no statement, too late, or for another service [system.sdk.action-tokens]', () => {
  const { statement } = vector;
  for (const none of [
    undefined,
    '',
    [statement],
    `${statement}.e30`,
    `${statement}A`,
    statement.slice(0, -1),
  ])
    expect(checkActionStatement(none, about)).toEqual(refused('not_signed'));
  expect(checkActionStatement(statement, { ...about, now: new Date(vector.claims.exp) })).toEqual(
    refused('expired'),
  );
  expect(checkActionStatement(statement, { ...about, service: 'Bank' })).toEqual(refused('another_service'));
  const noKey = { ...about, publicKey: vector.audit_public_key };
  expect(() => checkActionStatement(statement, noKey)).toThrow('publicKey');
});
