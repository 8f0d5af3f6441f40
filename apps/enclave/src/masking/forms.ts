/** One way in which a secret can stand in a text that was decoded and has no gaps. */
export type Form = {
  readonly bytes: Uint8Array;
  /** Base64 means something else in another case; everything else is looked for in any. */
  readonly anyCase: boolean;
  /** How many signs of base64 before and after it hold bits of it beside those of its neighbours: masked with it. */
  readonly before: number;
  readonly after: number;
};

/** Shorter secrets stand in any text by chance: they are not masked, and `newMasker` tells which they are. */
export const shortestSecret = 4;

const utf8 = new TextEncoder();

/** Every form that is looked for: page 3, Sandbox sessions. White space in a secret does not count. */
export function formsOf(secret: Uint8Array): Form[] {
  const text = new TextDecoder().decode(secret);
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const reversed = Array.from(text).reverse().join('');
  const written = [text, encodeUri(text), JSON.stringify(text).slice(1, -1)];
  const plain = [
    Uint8Array.from(secret),
    ...[reversed, text.toLowerCase(), text.toUpperCase(), text.replaceAll(' ', '+'), ...longLines(text)].map(
      (one) => utf8.encode(one),
    ),
    Uint8Array.from(secret).reverse(),
    ...[points.join(','), points.join('')].map((one) => utf8.encode(one)),
  ];
  const binary = [plain[0] ?? secret, ...written.map((one) => utf8.encode(one)), utf8.encode(reversed)];
  return unique([
    ...plain.map(whole),
    ...binary.flatMap((bytes) => [...hexForms(bytes), ...base64Forms(bytes)]),
  ]).filter((form) => form.bytes.length >= shortestSecret);
}

const whole = (bytes: Uint8Array): Form => ({ bytes, anyCase: true, before: 0, after: 0 });

/** A line of a key in PEM says enough alone. */
const longLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.length >= 24 && !line.startsWith('-----'));

/** Like `encodeURIComponent`, which throws at lone surrogates. */
const encodeUri = (text: string): string => encodeURIComponent(text.toWellFormed());

function hexForms(bytes: Uint8Array): Form[] {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return ['', ':', ',', '-'].map((between) => whole(utf8.encode(pairs.join(between))));
}

/** Of the three places that a byte can have in base64, without the signs that depend on what stands around. */
function base64Forms(bytes: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const bits = shifted.length * 8;
    const encoded = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join(''));
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map((text) => ({
      bytes: utf8.encode(text),
      anyCase: false,
      before: offset === 0 ? 0 : 1,
      after: bits % 6 === 0 ? 0 : 1,
    }));
  });
}

function unique(forms: readonly Form[]): Form[] {
  const seen = new Map(forms.map((form) => [`${form.anyCase} ${form.bytes.join()}`, form]));
  return [...seen.values()];
}
