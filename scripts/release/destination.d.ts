export function whyNotInto(into: string, keyFile: string | null): string | null;
export function clear(into: string): void;
