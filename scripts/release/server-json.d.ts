type Bundle = { readonly url: string | undefined; readonly sha256: string };
type Entry = {
  readonly $schema: string;
  readonly packages: readonly Readonly<Record<string, unknown>>[];
};

export function serverJson(about: {
  readonly name: string;
  readonly version: string;
  readonly bundle: Bundle | null;
}): Entry;
