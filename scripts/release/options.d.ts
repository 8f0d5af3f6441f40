type Options = {
  readonly error?: string;
  readonly help?: boolean;
  readonly into?: string;
  readonly key?: string | null;
  readonly name?: string;
  readonly base?: string | null;
};

export const help: string;
export function readOptions(argv: readonly string[]): Options;
