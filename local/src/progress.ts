import type { Part } from './parts.ts';

const colours = { dim: 2, red: 31, green: 32, bold: 1 } as const;

/** Colours a text for a terminal, and only for a terminal. */
export function paint(colour: keyof typeof colours, text: string): string {
  // `hasColors` heeds NO_COLOR.
  return process.stdout.isTTY && process.stdout.hasColors() ? `\x1b[${colours[colour]}m${text}\x1b[0m` : text;
}

/** Prints one line when a part starts, and one with its duration when it is ready. */
export function printProgress(print: (line: string) => void) {
  return (part: Part, tookMs: number | null): void => {
    const name = `  ${part.padEnd(16)}`;
    if (tookMs === null) print(paint('dim', `${name} starting`));
    else print(`${name} ${paint('green', 'ready')} after ${(tookMs / 1000).toFixed(1)} s`);
  };
}
