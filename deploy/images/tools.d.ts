export function whyNot(names: readonly string[], has?: (program: string) => boolean): string | null;
