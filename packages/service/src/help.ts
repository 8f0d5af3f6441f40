/** A variable of a service and what it means, in the order in which help lists them. */
export type Described = readonly (readonly [name: string, meaning: string])[];

const [maxColumns, indent] = [100, 31];

/** Variables as lines of at most 100 columns: all of them, or those of a list. */
export function variableLines(described: Described, only: readonly string[] | null = null): string {
  return described
    .filter(([name]) => only === null || only.includes(name))
    .flatMap(([name, meaning]) => {
      const [first = '', ...more] = wrapped(meaning, maxColumns - indent);
      return [`  ${name.padEnd(indent - 2)}${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)];
    })
    .join('\n');
}

function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Returns the output of a service for `--variables`. */
export const allVariables = (service: string, described: Described): string =>
  `Variables of countersign ${service}:\n\n${variableLines(described)}\n`;
