type Written = Readonly<
  Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
>;

export function packagesIn(metafile: { readonly outputs: Written }): string[];
export function licencesOf(base: string, folders: readonly string[]): string;
