import { expect, test } from 'vitest';
import { fileName, isOfType } from './file-kind.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['application/pdf', bytes('%PDF-1.7\n'), true],
  ['application/pdf', bytes('<html><script>alert(1)</script>'), false],
  ['application/pdf', bytes(' %PDF-1.7'), false],
  ['image/png', bytes('\x89PNG\r\n\x1a\n…'), true],
  ['image/png', bytes('GIF89a'), false],
  ['image/jpeg', bytes('\xff\xd8\xff\xe0'), true],
  ['image/jpeg', bytes('%PDF-1.7'), false],
  ['text/plain', Buffer.from('Grüße\r\n\tEnde'), true],
  ['text/plain', bytes('\xff\xfeT\x00'), false],
  ['text/plain', bytes('MZ\x00\x03'), false],
  ['text/plain', bytes('\x1b[2J'), false],
] as const)('%s that begins as %j is of its type: %j', (mediaType, content, is) => {
  expect(isOfType(content, mediaType)).toBe(is);
});

test.each([
  ['register.pdf', 'application/pdf', 'register.pdf'],
  ['../../etc/a.exe', 'application/pdf', 'a.exe.pdf'],
  ['C:\\Users\\ada\\Register.PDF', 'application/pdf', 'Register.PDF'],
  ['.bashrc', 'text/plain', 'bashrc.txt'],
  ['a<b>:"c|?*.txt', 'text/plain', 'a_b___c___.txt'],
  ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
  ['photo.png', 'image/jpeg', 'photo.png.jpg'],
  ['../..', 'image/png', 'file.png'],
  ['Handelsregister – Auszug.pdf', 'application/pdf', 'Handelsregister – Auszug.pdf'],
] as const)('%j as %s is kept as %j', (name, mediaType, kept) => {
  expect(fileName(name, mediaType)).toBe(kept);
});

test('a long name keeps the ending of its type, and no half of a character', () => {
  const kept = fileName('😀'.repeat(64), 'application/pdf');
  expect(kept).toBe(`${'😀'.repeat(62)}.pdf`);
});
