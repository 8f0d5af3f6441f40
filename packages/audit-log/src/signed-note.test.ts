import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { localSigner } from './keys.ts';
import { noteKey, openNote, readNote, readVerifierKey, signNote, verifierKeyText } from './signed-note.ts';

const newSigner = () => localSigner(generateKeyPairSync('ed25519').privateKey);

describe('a published note', () => {
  // From the documentation of golang.org/x/mod/sumdb/note, where the format comes from.
  const text =
    'If you think cryptography is the answer to your problem,\n' +
    "then you don't know what your problem is.\n";
  const peter =
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  const enoch =
    '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
  const keys = {
    peter: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    enoch: 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop',
  };
  const known = (...texts: readonly string[]) => texts.flatMap((key) => readVerifierKey(key) ?? []);

  test('is opened by a known key; other signatures do not count', () => {
    const opened = openNote(`${text}\n${peter}${enoch}`, known(keys.peter));
    expect(opened).toMatchObject({ ok: true, value: { text, signedBy: [{ name: 'PeterNeumann' }] } });
  });

  test('is opened by two', () => {
    const opened = openNote(`${text}\n${peter}${enoch}`, known(keys.peter, keys.enoch));
    expect(opened.ok && opened.value.signedBy.map(({ name }) => name)).toEqual(['PeterNeumann', 'EnochRoot']);
  });

  test('is spoiled by one changed letter, or by one known key that did not sign it', () => {
    const changed = text.replace('answer', 'anSwer');
    expect(openNote(`${changed}\n${peter}`, known(keys.peter))).toEqual({
      ok: false,
      error: 'bad-signature',
    });
    const broken = enoch.replace('HOIp', 'HOIq').replace('rwz+eBzm', 'rwz+eBzn');
    expect(openNote(`${text}\n${peter}${broken}`, known(keys.peter, keys.enoch))).toEqual({
      ok: false,
      error: 'bad-signature',
    });
  });

  test('is not opened without a known key', () => {
    expect(openNote(`${text}\n${peter}`, known(keys.enoch))).toEqual({ ok: false, error: 'no-known-key' });
  });

  test('keys are written as they were read', () => {
    expect(known(keys.peter, keys.enoch).map(verifierKeyText)).toEqual([keys.peter, keys.enoch]);
    expect(known(keys.peter.replace('c74f20a3', 'c74f20a4'))).toEqual([]);
  });
});

test('a note that we sign is opened again, by the key of that name only', () => {
  const signer = newSigner();
  const note = signNote('hello\n\nworld\n', 'log.example/1', signer);
  const opened = openNote(note, [noteKey('log.example/1', signer.publicKey)]);
  expect(opened).toMatchObject({ ok: true, value: { text: 'hello\n\nworld\n' } });
  expect(openNote(note, [noteKey('log.example/2', signer.publicKey)]).ok).toBe(false);
  expect(openNote(note, [noteKey('log.example/1', newSigner().publicKey)]).ok).toBe(false);
});

test.each([
  ['no signature', 'text\n'],
  ['no empty line', 'text\n— a AAAAAAA=\n'],
  ['no newline at the end', 'text\n\n— a AAAAAAA='],
  ['a signature of no bytes', 'text\n\n— a AAAAAA==\n'],
  ['another dash', 'text\n\n- a AAAAAAA=\n'],
  ['a name with a plus', 'text\n\n— a+b AAAAAAA=\n'],
  ['a control character', 'te\txt\n\n— a AAAAAAA=\n'],
  ['a lone surrogate', 'te\ud800xt\n\n— a AAAAAAA=\n'],
  ['another spelling of the base64', 'text\n\n— a AAAAAAB=\n'],
  ['more signatures than any note has', `text\n\n${'— a AAAAAAA=\n'.repeat(65)}`],
])('%s is no note', (_what, note) => {
  expect(readNote(note)).toBeNull();
});
