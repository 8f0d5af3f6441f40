type Read = (path: string) => string;
export declare function builtRules(
  read?: Read,
): Promise<{ readonly text: string; readonly sources: readonly string[] }>;
export declare function rulesDigest(read?: Read): Promise<string>;
