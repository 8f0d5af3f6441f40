/** Addresses of what a page has made itself, or says in itself. */
export const isInline = (address: string): boolean => /^\s*(data|blob|filesystem):/i.test(address);

/**
 * Whether the value of a style shows a picture of the page's own making, other than an icon: style sheets are full of these.
 * `isStrict`: icons too.
 */
export function isOwnPicture(value: string, isStrict: boolean): boolean {
  if (/\bpaint\(/i.test(value)) return true;
  if (!/url\(\s*["']?\s*(data|blob|filesystem):/i.test(value)) return false;
  const addresses = [...value.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, address = '']) => address);
  const own = addresses.filter(isInline);
  return isStrict || own.length === 0 || !own.every(isIcon);
}

/** More than most icons take, less than a code or a text in outlines does. In characters. */
const maxIcon = 512;
const inOutlines = /^\/?(svg|g|path|rect|circle|ellipse|line|polyline|polygon)[\s/>]/;

/** A short drawing that is all outlines: it has no text and no other picture in it. */
function isIcon(address: string): boolean {
  const [head, type] = /^data:image\/svg\+xml(?:;(?:charset=)?utf-?8)?(;base64)?,/i.exec(address) ?? [];
  if (head === undefined || address.length > 4 * maxIcon) return false;
  const source = decoded(address.slice(head.length), type !== undefined)?.trim();
  if (source === undefined || source.length > maxIcon) return false;
  return source
    .split('<')
    .slice(1)
    .every((tag) => inOutlines.test(tag));
}

function decoded(body: string, isBase64: boolean): string | null {
  try {
    const text = decodeURIComponent(body.replace(/\\(.)/g, '$1'));
    return isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text;
  } catch {
    return null;
  }
}
