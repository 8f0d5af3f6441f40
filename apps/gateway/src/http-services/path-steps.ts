/** The number of times that some servers decode. */
const decodings = 3;

/**
 * Whether a part between slashes is `.` or `..` to some server: which may decode what it has decoded, read `\` as a slash, and end
 * a part's name at `;`. Linear.
 */
export function hasSteps(path: string): boolean {
  let text = path;
  for (let n = 0; n < decodings; n++)
    text = text.replace(/%[0-7][0-9a-f]/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  return text.split(/[/\\]/).some((part) => /^\.{1,2}(;|$)/.test(part));
}
