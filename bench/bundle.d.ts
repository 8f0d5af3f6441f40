import type { BuildOptions } from 'esbuild';

export function benches(): readonly string[];
export function fileOf(name: string): string;
export function bundleOf(name: string): BuildOptions & { readonly outfile: string };
