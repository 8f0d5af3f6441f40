/** Returns the ways in which programs, logs and mail print the bytes of a text, without separators. */
export function bytesWritten(bytes: Uint8Array, text: string): string[] {
  const each = (write: (byte: number) => string): string => Array.from(bytes, write).join('');
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const escaped = (isMeant: RegExp): string =>
    each((byte) => (isMeant.test(String.fromCharCode(byte)) ? hex(byte) : String.fromCharCode(byte)));
  return [
    // `0x73, 0x6b`, `\163\153`, `01110011 01101011`, `U+0073 U+006B`, `CHR(115) || CHR(107)`.
    each((byte) => `0x${hex(byte)}`),
    each((byte) => byte.toString(8).padStart(3, '0')),
    each((byte) => byte.toString(8)),
    each((byte) => `${byte}`),
    each((byte) => byte.toString(2).padStart(8, '0')),
    points.map((point) => `u${point.toString(16).padStart(4, '0')}`).join(''),
    each((byte) => `chr${byte}`),
    each((byte) => `char${byte}`),
    // What is no letter or digit, in style sheets and in mails' headers; in mails' texts; in directories.
    ...[/[^a-z0-9]/i, /[_=?\x80-\xff]/, /[=\x80-\xff]/, /[*()\\]/]
      .filter((some) => some.test(each((byte) => String.fromCharCode(byte))))
      .map(escaped),
  ];
}

/** Keys are bytes that are kept in hex, as a UUID or in base64, and sites show them in whichever of these. */
export function bytesOf(text: string): Uint8Array[] {
  const trimmed = text.trim();
  const hex = /^(?:0x)?([\da-f]{2}[\da-f:-]*)$/i.exec(trimmed)?.[1]?.replaceAll(/[:-]/g, '') ?? '';
  const isBase64 = /^[\w+/-]+={0,2}$/.test(trimmed) && !/[+/].*[-_]|[-_].*[+/]/.test(trimmed);
  return [
    hex.length % 2 === 0 ? Buffer.from(hex, 'hex') : Buffer.alloc(0),
    isBase64 ? Buffer.from(trimmed, 'base64') : Buffer.alloc(0),
  ].filter((bytes) => bytes.length >= minKey);
}

/** Fewer bytes are no key, but letters that look so. */
const minKey = 16;

/** Shorter phrases are no phrases that a wallet is kept by. In words. */
const minPhrase = 6;

/** A phrase whose words are numbered, as wallets show it. */
export function numbered(text: string): string[] {
  const words = text.trim().split(/\s+/);
  if (words.length < minPhrase || !words.every((word) => /^\p{L}+$/u.test(word))) return [];
  const from = (first: number, digits: number): string =>
    words.map((word, i) => String(first + i).padStart(digits, '0') + word).join('');
  return [from(1, 1), from(0, 1), from(1, 2), from(0, 2)];
}

/** Finds the secrets inside a stored text that a site may show alone: in `Bearer …`, in `KEY=…`, as a member of JSON, as the password in a URL. */
export function secretsWithin(text: string): string[] {
  const words = text.split(/[\s"'`,;:=@{}()[\]<>]+|\\[nrt]/).flatMap((word) => [word, ...word.split('://')]);
  const basic = /^\s*Basic\s+([\w+/-]{8,}={0,2})\s*$/i.exec(text)?.[1];
  const password =
    basic === undefined ? undefined : Buffer.from(basic, 'base64').toString().split(':').slice(1).join(':');
  const found = [...words.filter(isRandom), ...(basic === undefined ? [] : [basic])].filter(
    (word) => word !== text.trim(),
  );
  return [
    ...new Set([...found, ...(password !== undefined && password.length >= minPassword ? [password] : [])]),
  ];
}

const minPassword = 8;

/** Returns whether the word looks like a generated key. Names, hosts and paths do not. */
function isRandom(word: string): boolean {
  if (!/^[\w+/~-]{16,}$/.test(word) && !/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(word)) return false;
  const [digits, letters] = [word.replaceAll(/\D/g, '').length, word.replaceAll(/[^a-z]/gi, '').length];
  return (
    (/[a-z]/.test(word) && /[A-Z]/.test(word) && digits > 0) ||
    (word.length >= 24 && digits >= 4 && letters >= 4)
  );
}
