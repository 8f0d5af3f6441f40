import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ServerResponse } from 'node:http';

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

/** Nothing runs or loads but from here, nobody frames us, and nothing stays in a cache. */
const safety = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' http://*.localhost:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Answers with a file of the door's own. */
export type GiveFile = (response: ServerResponse, name: DoorFile, status?: number) => void;
export type DoorFile = 'door.html' | 'porch.html' | 'porch.js' | (typeof doorFiles)[number];
/** The files that pages load, below `/door/`. */
export const doorFiles = [
  'ask.js',
  'badge.js',
  'door.css',
  'entrance.js',
  'hands.js',
  'question.css',
  'question.js',
  'wallet.js',
] as const;

/** Reads what browsers are given, with the words of this system filled in. */
export function readDoorFiles(words: Readonly<Record<string, string>>): GiveFile {
  const folder = browserFolder();
  return (response, name, status = 200) => {
    const kind = name.split('.')[1] as keyof typeof types;
    const text = Object.entries(words).reduce(
      (file, [word, value]) => file.replaceAll(`{{${word}}}`, value),
      readFileSync(join(folder, name), 'utf8'),
    );
    response.writeHead(status, {
      ...safety,
      'content-type': types[kind],
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  };
}

/** Looked for upwards, because this code runs from its source and bundled in `dist`. */
function browserFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'local', 'src', 'door', 'browser');
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) throw new Error('the files of the demo’s door are missing');
  }
}
