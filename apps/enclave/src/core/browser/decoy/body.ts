import { formUrl, jsonString, plain, type Encoding } from './encodings.ts';

/** A value in the body of a request, as the page sent it: never a secret, at most a decoy. */
export type BodyField = {
  readonly name: string;
  readonly value: string;
  /** Where the value stands, in bytes, the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** How another value is written there. */
  readonly encoding: Encoding;
};

/** The fields of a body, in order; none of a body of another kind, or one that is not what it says. */
export function fieldsOf(body: Buffer, contentType: string): BodyField[] {
  const kind = kindOf(contentType);
  if (kind === 'application/x-www-form-urlencoded') return formFields(body);
  if (kind === 'multipart/form-data') return multipartFields(body, contentType);
  return isJsonKind(kind) ? jsonFields(body) : [];
}

/** Where an object stands in a body of JSON, as the page wrote it. */
export function objectsIn(body: Buffer, contentType: string, object: string): BodyField[] {
  if (!object.startsWith('{') || !isJsonKind(kindOf(contentType)) || !isJson(body)) return [];
  const fields: BodyField[] = [];
  const [bytes, length] = [Buffer.from(object), Buffer.byteLength(object)];
  for (let start = body.indexOf(bytes); start !== -1; start = body.indexOf(bytes, start + length))
    fields.push({ name: '', value: object, start, end: start + length, encoding: plain });
  return fields;
}

const kindOf = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

const isJsonKind = (kind: string): boolean =>
  kind === 'application/json' || kind.endsWith('+json') || kind === 'text/plain';

/** Text with one sign for each byte, so that places in it are places in the body. */
const signsOf = (body: Buffer): string => body.toString('latin1');
const textOf = (signs: string): string => Buffer.from(signs, 'latin1').toString('utf8');

function formFields(body: Buffer): BodyField[] {
  const fields: BodyField[] = [];
  let at = 0;
  for (const pair of signsOf(body).split('&')) {
    const equals = pair.indexOf('=');
    if (equals !== -1)
      fields.push({
        name: decodeForm(pair.slice(0, equals)),
        value: decodeForm(pair.slice(equals + 1)),
        start: at + equals + 1,
        end: at + pair.length,
        encoding: formUrl,
      });
    at += pair.length + 1;
  }
  return fields;
}

const decodeForm = (signs: string): string =>
  textOf(
    signs
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );

/** RFC 7578. Files are none of ours. */
function multipartFields(body: Buffer, contentType: string): BodyField[] {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return [];
  const signs = signsOf(body);
  const delimiter = `--${boundary}`;
  const fields: BodyField[] = [];
  for (let at = signs.indexOf(delimiter); at !== -1; ) {
    const headers = at + delimiter.length + 2;
    const next = signs.indexOf(`\r\n${delimiter}`, at + delimiter.length);
    const begin = signs.indexOf('\r\n\r\n', at + delimiter.length) + 4;
    if (next === -1 || begin < 4 || begin > next) break;
    const [, name] = /\bname="((?:[^"\\]|\\.)*)"/i.exec(signs.slice(headers, begin)) ?? [];
    const isFile = /\bfilename\*?=/i.test(signs.slice(headers, begin));
    if (name !== undefined && !isFile)
      fields.push({
        name: textOf(name),
        value: textOf(signs.slice(begin, next)),
        start: begin,
        end: next,
        encoding: plain,
      });
    at = next + 2;
  }
  return fields;
}

/** Every string that is a member's value, under the name of that member; of a list under the name of the list. */
function jsonFields(body: Buffer): BodyField[] {
  if (!isJson(body)) return [];
  const fields: BodyField[] = [];
  /** Of each object and list that is open, the member at hand. */
  const names: string[] = [];
  let string: Omit<BodyField, 'name'> | null = null;
  for (const { 0: token, index } of signsOf(body).matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (token.startsWith('"')) {
      const value = JSON.parse(textOf(token)) as string;
      string = { value, start: index + 1, end: index + token.length - 1, encoding: jsonString };
      continue;
    }
    if (token === ':') names[names.length - 1] = string?.value ?? '';
    else if (string !== null) fields.push({ ...string, name: names.at(-1) ?? '' });
    nest(names, token);
    string = null;
  }
  return fields;
}

function nest(names: string[], token: string): void {
  if (token === '{') names.push('');
  else if (token === '[') names.push(names.at(-1) ?? '');
  else if (token === '}' || token === ']') names.pop();
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
