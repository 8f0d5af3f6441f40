export function asideOf(into: string): string;
export function whyNotInto(into: string, keyFile: string | null): string | null;
export function lockOf(into: string): string;
export function lock(into: string): string | null;
export function unlock(into: string): void;
export function begin(into: string): string;
export function finish(into: string): void;
export function abandon(into: string): void;
export function real(path: string): string;
