/** A key as `Input.dispatchKeyEvent` wants it. */
export type Key = {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  /** The text that the key types. */
  readonly text?: string;
};

export type Chord = { readonly key: Key; readonly modifiers: number; readonly held: readonly Key[] };

const named: Readonly<Record<string, readonly [code: string, keyCode: number, text?: string]>> = {
  Enter: ['Enter', 13, '\r'],
  Tab: ['Tab', 9],
  Escape: ['Escape', 27],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  Insert: ['Insert', 45],
  ' ': ['Space', 32, ' '],
  Space: ['Space', 32, ' '],
  Shift: ['ShiftLeft', 16],
  Control: ['ControlLeft', 17],
  Alt: ['AltLeft', 18],
  Meta: ['MetaLeft', 91],
};

/** Bits of `modifiers`. */
const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** Reads a key as the DOM names it, with modifiers before it (`Control+a`); null for what is none. */
export function readChord(text: string): Chord | null {
  const parts = text === '+' ? ['+'] : text.replace(/\+\+$/, '+\0').split('+');
  const names = parts.map((part) => (part === '\0' ? '+' : part));
  const key = readKey(names.at(-1) ?? '');
  const held = names.slice(0, -1);
  if (key === null || held.some((name) => modifierBits[name] === undefined)) return null;
  const modifiers = held.reduce((bits, name) => bits | (modifierBits[name] ?? 0), 0);
  const types = (modifiers & ~(modifierBits['Shift'] ?? 0)) === 0;
  const { text: typed, ...silent } = key;
  return {
    key: types && typed !== undefined ? { ...silent, text: typed } : silent,
    modifiers,
    held: held.flatMap((name) => readKey(name) ?? []),
  };
}

/** Returns whether a key changes what stands in a field: it types, takes away, or counts up and down. */
export const edits = ({ key }: Chord): boolean =>
  key.text !== undefined || /^(Backspace|Delete|ArrowUp|ArrowDown)$/.test(key.key);

/**
 * Keys that copy, cut, paste or undo. What is copied outlives the field and the page that it stood in, and undoing brings
 * back what a field held: neither is for an agent, which writes what it has to write.
 */
export const movesText = (text: string): boolean =>
  /^(?:(?:alt|shift|control|meta)\+)*(?:control|meta)\+(?:(?:alt|shift|control|meta)\+)*(?:[cxvzy]|insert|delete|backspace)$/i.test(
    text,
  ) ||
  /^(?:(?:alt|control|meta)\+)*shift\+(?:insert|delete)$/i.test(text) ||
  /^(?:copy|cut|paste|undo|redo|again)$/i.test(text.split('+').at(-1) ?? '');

/** Keys that do what a click does, or send the form in which they are pressed. */
export const isActivating = (text: string): boolean =>
  /^(enter|numpadenter|return|space| )$/i.test(text.split('+').at(-1) ?? '');

function readKey(name: string): Key | null {
  const known = Object.hasOwn(named, name) ? named[name] : undefined;
  if (known !== undefined) {
    const [code, windowsVirtualKeyCode, text] = known;
    return {
      key: name === 'Space' ? ' ' : name,
      code,
      windowsVirtualKeyCode,
      ...(text === undefined ? {} : { text }),
    };
  }
  const numbered = /^F([1-9]|1[0-2])$/.exec(name);
  if (numbered !== null) return { key: name, code: name, windowsVirtualKeyCode: 111 + Number(numbered[1]) };
  if (Array.from(name).length !== 1) return null;
  const upper = name.toUpperCase();
  const code = /^[A-Z]$/.test(upper) ? `Key${upper}` : /^\d$/.test(name) ? `Digit${name}` : '';
  return { key: name, code, windowsVirtualKeyCode: code === '' ? 0 : upper.charCodeAt(0), text: name };
}
