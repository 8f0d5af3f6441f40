import { posix } from 'node:path';

/** Where a file of the repository stands on the site: `null` for one that is not on it. */
export type PlaceOf = (file: string) => string | null;

const link = /(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^()\s]+)\)/g;

/** A page's links lead to the site's own addresses; one to a file that is not on the site becomes its text. */
export function withSiteLinks(text: string, file: string, placeOf: PlaceOf): string {
  return outsideCode(text, (part) =>
    part.replace(link, (whole, isImage: string, words: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return whole;
      const [path = '', hash] = target.split('#');
      const place = placeOf(posix.join(posix.dirname(file), path).replace(/\/$/, ''));
      if (place === null) return words;
      return `${isImage}[${words}](${place}${hash === undefined ? '' : `#${hash}`})`;
    }),
  );
}

/** Fenced blocks stay as they are. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/^(```[^]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}
