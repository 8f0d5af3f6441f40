export type Debian = {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly arch?: string | undefined;
  readonly source?: string | undefined;
};
export type Npm = { readonly name: string; readonly version: string };
export type Node = { readonly version: string; readonly sha256: string };

export function debianIn(status: string): readonly Debian[];
export function npmIn(root: string): readonly Npm[];
export function integritiesOf(lockfile: {
  readonly packages: Readonly<Record<string, { readonly name?: string; readonly version?: string; readonly integrity?: string }>>;
}): ReadonlyMap<string, string>;
export function nodeIn(root: string, version: string): Node;
