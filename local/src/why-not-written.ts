import { resolve, sep } from 'node:path';

const refusals = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'];

/**
 * One sentence where the system refused to write into the data directory, or to make it; null for any other error. A program that
 * cannot be run and a file that is missing are others, also where they are in the directory.
 */
export function whyNotWritten(directory: string, error: unknown): string | null {
  const dir = resolve(directory);
  const { code, syscall, path } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  if (code === 'ENOSPC' && syscall !== undefined) return `the disk is full: nothing can be written to ${dir}`;
  const isRefused = code !== undefined && refusals.includes(code) && path !== undefined;
  return isRefused && isOfFolder({ code, syscall, path }, dir)
    ? `nothing can be written to ${dir} (${code}): name another data directory with --data DIR`
    : null;
}

type Refused = { readonly code: string; readonly syscall: string | undefined; readonly path: string };

function isOfFolder({ code, syscall, path }: Refused, dir: string): boolean {
  // A folder that has to be made first may be above.
  if (syscall === 'mkdir') return isAtOrBelow(path, dir) || isAtOrBelow(dir, path);
  return isAtOrBelow(path, dir) && code !== 'ENOENT' && syscall?.startsWith('spawn') !== true;
}

const isAtOrBelow = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);
