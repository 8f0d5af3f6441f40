import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadNow, type Machine } from './machine.ts';

const folder = fileURLToPath(new URL('../results', import.meta.url));

/** Saves a report and its numbers as NAME-DATE.md and .json; a later run of the day takes their place. Gives the path. */
export function saveResults(name: string, machine: Machine, text: string, data: object): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${machine.date.slice(0, 10)}`);
  writeFileSync(`${file}.md`, `${text}\n`);
  writeFileSync(`${file}.json`, `${JSON.stringify({ machine, ...data }, null, 2)}\n`);
  return `${file}.md`;
}

/** Title and circumstances: the head of every report. */
export const headOf = (title: string, machine: Machine): string =>
  [
    `# ${title}`,
    '',
    `- ${machine.date}, commit ${machine.commit}`,
    `- ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.platform}, Node ${machine.node}`,
    `- load average ${machine.loadBefore} before, ${loadNow()} at the end (the benchmark itself makes about 2)`,
  ].join('\n');
