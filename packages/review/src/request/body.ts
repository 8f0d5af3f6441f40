/** How a body is written. `text`: none of these; `unread`: it says it is one of them, and cannot be read as it. */
export const bodyShapes = ['none', 'form', 'multipart', 'json', 'xml', 'text', 'unread'] as const;

export type Member = {
  /** Its own name, without those of what holds it. */
  readonly name: string;
  /** Text, number or yes and no as text; empty for what holds others. */
  readonly value: string;
  /** 0 for what stands at the top. */
  readonly depth: number;
};

export type Body = {
  readonly shape: (typeof bodyShapes)[number];
  readonly members: readonly Member[];
  /** Whether a file is in it. */
  readonly hasFile: boolean;
  /** Of one value of JSON, which nobody reads in another way: the value. */
  readonly json?: unknown;
};

/** More than a form or a call has; what follows is not looked at, and such a body is no log-in and no search. */
const maxMembers = 1000;
const maxValue = 20_000;
/** A longer one is cut, and cut JSON is neither log-in nor search. */
const maxBody = 64 * 1024;

/** Reads a body as its type says. What servers may read in another way is `unread`, with all that any of them may find in it. */
export function bodyOf(whole: string, contentType: string): Body {
  const text = whole.slice(0, maxBody);
  const begin = text.trimStart().charAt(0);
  if (begin === '') return { shape: 'none', members: [], hasFile: false };
  const type = contentType.toLowerCase();
  const seems = begin === '{' || begin === '[' ? 'json' : begin === '<' ? 'xml' : 'form';
  if (otherLetters.test(type)) return unreadable(text);
  return said(text, type, seems) ?? guessed(text, type, seems);
}

type Seems = 'json' | 'xml' | 'form';

/** Read as the type says; null where it says none of these. */
function said(text: string, type: string, seems: Seems): Body | null {
  if (type.includes('multipart/')) return multipartOf(text);
  if (type.includes('x-www-form-urlencoded')) {
    if (seems === 'form') return formOf(text);
    // Sites send JSON as a form: as a form it would be one name without a value.
    return /[&=]/.test(text) ? bothWays(text) : null;
  }
  if (/grpc|protobuf/.test(type)) return { shape: 'text', members: [], hasFile: false };
  if (type.includes('json')) return seems === 'xml' ? unreadable(text) : jsonOf(text);
  if (type.includes('xml')) return seems === 'xml' ? xmlOf(text) : unreadable(text);
  return null;
}

function guessed(text: string, type: string, seems: Seems): Body {
  if (seems === 'json') return jsonOf(text);
  if (seems === 'xml') return xmlOf(text);
  if (/^[^\s=&]{1,100}=[^\n]*$/.test(text.slice(0, 4000))) return formOf(text);
  return { shape: 'text', members: [], hasFile: /^(image|audio|video)\/|octet-stream|pdf|zip/.test(type) };
}

/** What begins so: whatever it is, the rest of it may say something else. */
export const cutBodyOf = (begin: string, contentType: string): Body => ({
  ...bodyOf(begin, contentType),
  shape: 'unread',
});

/** Bytes that mean other letters to the server. */
const otherLetters = /charset\s*=\s*"?(?!utf-?8\b|us-ascii\b|iso-8859-1\b|windows-1252\b)[^\s";]/;

const unreadable = (text: string): Body => ({
  shape: 'unread',
  members: [...scanned(text), ...formOf(text).members].slice(0, maxMembers),
  hasFile: false,
});

/** JSON to one server and a form to another: what either finds is in it. */
function bothWays(text: string): Body {
  const { json: _, ...body } = jsonOf(text);
  return { ...body, members: [...body.members, ...formOf(text).members].slice(0, maxMembers) };
}

function formOf(text: string): Body {
  const members: Member[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    if (members.length === maxMembers) break;
    members.push({ name: name.slice(0, 300), value: value.slice(0, maxValue), depth: 0 });
  }
  return { shape: 'form', members, hasFile: false };
}

const partHead = /^content-disposition:[^\r\n]*\r?\n/gim;

function multipartOf(text: string): Body {
  const heads = [...text.matchAll(partHead)].slice(0, maxMembers);
  const parts = heads.map(({ 0: whole, index }) => {
    const head = whole.slice(0, 1000);
    const value = text.slice(index + whole.length, index + whole.length + 300);
    return {
      name: /\bname="?([^";\r\n]*)/i.exec(head)?.[1]?.slice(0, 200) ?? '',
      value: value.split(/\r?\n--/)[0]?.trim() ?? '',
      hasFile: /\bfilename/i.test(head),
    };
  });
  return {
    shape: parts.length === 0 ? 'unread' : 'multipart',
    members: parts.map(({ name, value }) => ({ name, value, depth: 0 })),
    hasFile: parts.some(({ hasFile }) => hasFile),
  };
}

function jsonOf(text: string): Body {
  try {
    const json: unknown = JSON.parse(text);
    return repeatsNames(text)
      ? { shape: 'unread', members: scanned(text), hasFile: false }
      : { shape: 'json', members: membersOf(json), hasFile: false, json };
  } catch {
    return linesOf(text) ?? { shape: 'unread', members: scanned(text), hasFile: false };
  }
}

/** Objects of JSON, one a line; null for anything else. */
function linesOf(text: string): Body | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.some((line) => !line.startsWith('{'))) return null;
  try {
    if (lines.some(repeatsNames)) return null;
    const members = lines.flatMap((line) => membersOf(JSON.parse(line)));
    return members.length >= maxMembers ? null : { shape: 'json', members, hasFile: false };
  } catch {
    return null;
  }
}

/** Whether an object has two members of one name, of which servers take the first or the last, in whatever case. */
function repeatsNames(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, name, colon] of json.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (name !== undefined && colon !== undefined) {
      const read = String(JSON.parse(`"${name}"`)).toLowerCase();
      if (open.at(-1)?.has(read) === true) return true;
      open.at(-1)?.add(read);
    }
  }
  return false;
}

/** Outer members first, so that what is left out of a great body lies deep. */
function membersOf(whole: unknown): Member[] {
  const members: Member[] = [];
  let level: { name: string; value: unknown }[] = [{ name: '', value: whole }];
  for (let depth = -1; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { name, value } of level) {
      if (name !== '') members.push({ name, value: textOf(value), depth: Math.max(depth, 0) });
      if (Array.isArray(value)) for (const one of value) next.push({ name: '', value: one });
      else if (typeof value === 'object' && value !== null)
        for (const [key, one] of Object.entries(value))
          next.push({ name: key.slice(0, 300) || '-', value: one });
      if (members.length >= maxMembers) return members;
    }
    level = next.slice(0, maxMembers);
  }
  return members;
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.slice(0, maxValue);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** What can be told of JSON that is cut off, or that repeats names. */
const scanned = (text: string): Member[] =>
  [...text.matchAll(/"([^"\\\n]{1,100})"\s{0,5}:\s{0,5}(?:"([^"\\\n]{0,200})")?/g)]
    .slice(0, maxMembers)
    .map(([, name = '', value = '']) => ({ name, value, depth: 0 }));

/** Elements: what a SOAP or XML-RPC call is called stands in their names or in `methodName`. */
const xmlOf = (text: string): Body => ({
  shape: 'xml',
  members: [...text.matchAll(/<(?:[\w.-]{1,50}:)?([\w.-]{1,100})[^<>]{0,500}>([^<]{0,200})/g)]
    .slice(0, maxMembers)
    .map(([, name = '', value = '']) => ({ name, value: value.trim(), depth: 0 })),
  hasFile: false,
});
