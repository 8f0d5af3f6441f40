import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Node, parse, type ParseError, parseTree } from 'jsonc-parser';

/** A member of an object of the root. */
type Path = readonly [under: string, name: string];

/** Parses settings with comments and trailing commas; an empty file is an empty object. */
export function readJson(text: string): Result<Record<string, unknown>, string> {
  const errors: ParseError[] = [];
  const value: unknown = parse(bare(text), errors, lenient);
  if (bare(text).trim() === '') return ok({});
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (errors.length > 0 || !isObject) return fail('it is not a JSON object');
  return hasTwins(rootOf(text)) ? fail('it has a member twice') : ok({ ...value });
}

/** The text with the member set. Comments, commas, numbers, order, byte order mark and line ends of all else stay. */
export function withMember(text: string, [under, name]: Path, value: unknown): string {
  const whole = bare(text).trim() === '' ? `${text}{}\n` : text;
  const style = styleOf(whole);
  const root = rootOf(whole);
  const servers = memberOf(root, under);
  if (servers === undefined) return inserted(whole, root, under, { [name]: value }, style);
  const old = memberOf(servers, name);
  if (old === undefined) return inserted(whole, servers, name, value, style);
  const isSpread = textOf(whole, servers).includes('\n');
  return spliced(
    whole,
    old.offset,
    endOf(old),
    written(value, style, lineIndent(whole, old.offset), isSpread),
  );
}

/** The text without the member, or with its value in `earlier`; an object that stood not in `earlier` and is empty goes too. */
export function withoutMember(text: string, [under, name]: Path, earlier: string | null): string {
  const root = rootOf(text);
  const servers = memberOf(root, under);
  const own = memberOf(servers, name);
  if (root === undefined || servers === undefined || own === undefined) return text;
  const before = earlier === null ? undefined : memberOf(rootOf(earlier), under);
  const value = memberOf(before, name);
  if (earlier !== null && value !== undefined)
    return spliced(text, own.offset, endOf(own), textOf(earlier, value));
  return before === undefined && servers.children?.length === 1
    ? removed(text, root, under)
    : removed(text, servers, name);
}

const lenient = { allowTrailingComma: true };
const mark = '\uFEFF';
/** A byte order mark is one character: offsets stay, and the parser sees a blank. */
const bare = (text: string): string => (text.startsWith(mark) ? ` ${text.slice(1)}` : text);
const rootOf = (text: string): Node | undefined => parseTree(bare(text), [], lenient);

const endOf = (node: Node): number => node.offset + node.length;
const textOf = (text: string, node: Node): string => text.slice(node.offset, endOf(node));
const spliced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === 'object'
    ? object.children?.find((property) => property.children?.[0]?.value === key)
    : undefined;
const memberOf = (object: Node | undefined, key: string): Node | undefined =>
  propertyOf(object, key)?.children?.[1];

/** Clients differ in which of two members of one name counts. Deeper ones are not ours to judge. */
function hasTwins(root: Node | undefined): boolean {
  const objects = [root, ...(root?.children ?? []).map((property) => property.children?.[1])];
  return objects.some((object) => {
    if (object?.type !== 'object') return false;
    const keys = (object.children ?? []).map((property) => property.children?.[0]?.value);
    return new Set(keys).size < keys.length;
  });
}

type Style = { readonly unit: string; readonly eol: string; readonly isSpread: boolean };

/** Returns the file's own style: that of its first indented line. */
const styleOf = (text: string): Style => ({
  unit: /^([ \t]+)\S/m.exec(bare(text).trimStart())?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
  isSpread: text.includes('\n'),
});

const lineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(bare(text).slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';

const written = (value: unknown, { unit, eol }: Style, indent: string, isSpread: boolean): string =>
  isSpread ? JSON.stringify(value, null, unit).replaceAll('\n', eol + indent) : JSON.stringify(value);

function inserted(text: string, object: Node | undefined, key: string, value: unknown, style: Style): string {
  if (object === undefined) return text;
  const last = object.children?.at(-1);
  const isSpread = last === undefined ? style.isSpread : textOf(text, object).includes('\n');
  const outer = lineIndent(text, object.offset);
  const indent = last !== undefined && isSpread ? lineIndent(text, last.offset) : outer + style.unit;
  const member = `${JSON.stringify(key)}: ${written(value, style, indent, isSpread)}`;
  const start = isSpread ? style.eol + indent : ' ';
  if (last !== undefined) return behind(text, endOf(last), start + member);
  const inner = text.slice(object.offset + 1, endOf(object) - 1).trimEnd();
  const end = isSpread ? style.eol + outer : ' ';
  return spliced(text, object.offset + 1 + inner.length, endOf(object) - 1, start + member + end);
}

/** Behind the last member, and behind a comment on its line. */
function behind(text: string, end: number, addition: string): string {
  const comma = commaAfter(text, end);
  const from = comma === null ? end : comma + 1;
  const at =
    from +
    (/^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*(?=[\r\n]))/.exec(text.slice(from))?.[0].length ?? 0);
  const withAddition = spliced(text, at, at, comma === null ? addition : `${addition},`);
  return comma === null ? spliced(withAddition, end, end, ',') : withAddition;
}

/** Takes the member, one comma and the line on which they stood. */
function removed(text: string, object: Node, key: string): string {
  const properties = object.children ?? [];
  const index = properties.findIndex((property) => property.children?.[0]?.value === key);
  const [property, previous] = [properties[index], properties[index - 1]];
  if (property === undefined) return text;
  const own = commaAfter(text, endOf(property));
  const to = own === null ? endOf(property) : own + 1;
  const from = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, property.offset))?.index ?? property.offset;
  if (properties.length === 1) return emptied(text, object, from, to);
  const without = spliced(text, from, to, '');
  const comma = own === null && previous !== undefined ? commaAfter(text, endOf(previous)) : null;
  return comma === null ? without : spliced(without, comma, comma + 1, '');
}

/** Comments in it stay. */
function emptied(text: string, object: Node, from: number, to: number): string {
  const [start, end] = [object.offset + 1, endOf(object) - 1];
  const inner = text.slice(start, from) + text.slice(to, end);
  return spliced(text, start, end, inner.trim() === '' ? '' : inner);
}

/** Returns the offset of the comma after a value and its comments; null if there is none. */
function commaAfter(text: string, end: number): number | null {
  const skipped = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*/.exec(text.slice(end))?.[0].length ?? 0;
  return text[end + skipped] === ',' ? end + skipped : null;
}
