type Made = {
  readonly images: readonly (readonly [name: string, digest: string])[];
  readonly commit: string;
  readonly epoch: number;
  readonly isLocal: boolean;
  readonly base: { readonly name: string; readonly digest: string };
  readonly materials: readonly (readonly [
    name: string,
    { readonly version: string; readonly integrity: string },
  ])[];
  readonly tools: Readonly<Record<string, string>>;
};

export function provenanceOf(made: Made): {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[];
  readonly predicateType: string;
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string;
      readonly externalParameters: Readonly<Record<string, string>>;
      readonly resolvedDependencies: readonly {
        readonly uri: string;
        readonly digest: Readonly<Record<string, string>>;
      }[];
    };
    readonly runDetails: { readonly builder: { readonly id: string } };
  };
};

export function whyNotAttested(
  commit: string,
  here: { readonly id: string; readonly isClean: boolean } | null,
): string | null;
