type Options = {
  readonly error?: string;
  readonly help?: boolean;
  readonly commit?: string;
  readonly base?: string;
  readonly storage?: string | null;
  readonly out?: string;
  readonly tag?: string | null;
  readonly key?: string | null;
  readonly twice?: boolean;
};

export const help: string;
export function readOptions(argv: readonly string[]): Options;
