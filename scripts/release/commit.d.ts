type Commit = { readonly id: string; readonly epoch: number; readonly isClean: boolean };

export function commitHere(except?: readonly string[], folder?: string): Commit | null;
export function whyNotSigned(commit: Commit | null, changelog: string, version: string): string | null;
export function isStill(before: Commit | null, now: Commit | null): boolean;
