export function whyNoChangelog(text: string): string | null;
export function sectionOf(text: string, version: string): string | null;
export function unreleasedOf(text: string): string;
