/** Letters of other scripts, digits and pairs that look like Latin letters: the part of Unicode's confusables that hosts use. */
const lookalikes: Readonly<Record<string, string>> = {
  а: 'a',
  ạ: 'a',
  α: 'a',
  à: 'a',
  á: 'a',
  ɑ: 'a',
  ӓ: 'a',
  ь: 'b',
  в: 'b',
  с: 'c',
  ϲ: 'c',
  ԁ: 'd',
  ɗ: 'd',
  е: 'e',
  ё: 'e',
  є: 'e',
  é: 'e',
  è: 'e',
  ɡ: 'g',
  һ: 'h',
  і: 'i',
  ї: 'i',
  ı: 'i',
  í: 'i',
  ι: 'i',
  ј: 'j',
  κ: 'k',
  к: 'k',
  ӏ: 'l',
  ⅼ: 'l',
  м: 'm',
  п: 'n',
  ո: 'n',
  η: 'n',
  о: 'o',
  ο: 'o',
  օ: 'o',
  ö: 'o',
  ó: 'o',
  р: 'p',
  ρ: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ս: 'u',
  ü: 'u',
  ν: 'v',
  ѵ: 'v',
  ѡ: 'w',
  ԝ: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  ү: 'y',
  γ: 'y',
  ᴢ: 'z',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '|': 'l',
};

/** Whether a reader may take one host for the other although they differ. */
export function looksLike(host: string, other: string): boolean {
  return host !== other && skeleton(host) === skeleton(other);
}

const skeleton = (host: string): string =>
  Array.from(
    host.split('.').map(toUnicode).join('.').normalize('NFKC'),
    (letter) => lookalikes[letter] ?? letter,
  )
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
    .replaceAll('i', 'l')
    .replaceAll('-', '');

/** A label of a host out of its ASCII form (RFC 3492); as it stands when it is none. */
function toUnicode(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice(4);
  const cut = encoded.lastIndexOf('-');
  const points = Array.from(encoded.slice(0, Math.max(cut, 0)), (letter) => letter.charCodeAt(0));
  let [code, index, bias] = [128, 0, 72];
  for (let at = cut + 1; at < encoded.length; ) {
    const before = index;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = Number.parseInt(encoded.charAt(at++), 36);
      if (Number.isNaN(digit)) return label;
      // RFC 3492 counts letters before digits, base 36 the other way round.
      const value = digit < 10 ? digit + 26 : digit - 10;
      index += value * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    bias = adapt(index - before, points.length + 1, before === 0);
    code += Math.floor(index / (points.length + 1));
    index %= points.length + 1;
    if (code > 0x10ffff) return label;
    points.splice(index++, 0, code);
  }
  return String.fromCodePoint(...points);
}

function adapt(change: number, size: number, first: boolean): number {
  let delta = Math.floor(change / (first ? 700 : 2));
  delta += Math.floor(delta / size);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
