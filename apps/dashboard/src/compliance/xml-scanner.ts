/** The events of a scanner, in document order. Text may arrive in several pieces. */
export type XmlHandler = {
  readonly open: (name: string, attributes: string) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

/** Fed piece by piece; both throw when the document is not well formed, `end` also when it is not complete. */
export type XmlScanner = { readonly write: (chunk: string) => void; readonly end: () => void };

const maxTagLength = 1024 * 1024;

/**
 * Reads XML as it arrives, holding one tag at most, so that a file of any size fits. It knows elements, text,
 * CDATA, comments and processing instructions; it expands no entities and refuses internal definitions of them.
 * Names come without their namespace prefix.
 */
export function createXmlScanner(handler: XmlHandler): XmlScanner {
  const open: string[] = [];
  let rest = '';
  let sawRoot = false;

  function element(tag: string): void {
    if (tag.startsWith('/')) {
      const name = localName(tag.slice(1).trim());
      if (open.pop() !== name) throw new Error(`</${name.slice(0, 40)}> closes an element that is not open`);
      return handler.close(name);
    }
    const [, fullName = '', attributes = '', empty = ''] = /^([^\s/]+)(.*?)(\/?)$/s.exec(tag) ?? [];
    if (fullName === '' || (open.length === 0 && sawRoot)) throw new Error('not well-formed XML');
    sawRoot = true;
    const name = localName(fullName);
    handler.open(name, attributes);
    if (empty === '/') handler.close(name);
    else open.push(name);
  }

  /** Takes one piece of markup from the start of `text`; gives how long it was, or 0 when it is not all there yet. */
  function markup(text: string): number {
    for (const [start, end, take] of sections) {
      if (!text.startsWith(start)) continue;
      const at = text.indexOf(end, start.length);
      if (at < 0) return 0;
      if (take !== null) handler.text(text.slice(start.length, at));
      return at + end.length;
    }
    // The longest of these openings is not all there yet.
    if (text.length < '<![CDATA['.length && text.startsWith('<!')) return 0;
    const at = endOfTag(text);
    if (at < 0) return 0;
    const tag = text.slice(1, at);
    if (!tag.startsWith('!')) element(tag);
    else if (tag.includes('[')) throw new Error('definitions inside the document are not accepted');
    return at + 1;
  }

  function consume(text: string): string {
    let at = 0;
    while (at < text.length) {
      const next = text.indexOf('<', at);
      if (next !== at) {
        handler.text(text.slice(at, next < 0 ? undefined : next));
        if (next < 0) return '';
        at = next;
      }
      // A slice of a big string is a view, so this does not copy.
      const length = markup(text.slice(at));
      if (length === 0) return text.slice(at);
      at += length;
    }
    return '';
  }

  return {
    write(chunk) {
      rest = consume(rest + chunk);
      if (rest.length > maxTagLength) throw new Error('a tag or comment is not closed');
    },
    end() {
      if (rest !== '' || open.length > 0 || !sawRoot) throw new Error('the document is not complete');
    },
  };
}

const sections = [
  ['<!--', '-->', null],
  ['<![CDATA[', ']]>', 'text'],
  ['<?', '?>', null],
] as const;

/** Returns the end of the tag at the start of `text`; a `>` inside a quoted attribute does not end it. */
function endOfTag(text: string): number {
  let quote = '';
  for (let at = 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return at;
    else if (char === '"' || char === "'") quote = char;
  }
  return -1;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The value of an attribute in the text that `open` was given; undefined when it is not there. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return match?.[1] ?? match?.[2];
};
