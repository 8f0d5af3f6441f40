type Commit = { readonly id: string; readonly epoch: number; readonly isClean: boolean };

export function commitHere(): Commit | null;
export function whyNotSigned(commit: Commit | null, changelog: string, version: string): string | null;
