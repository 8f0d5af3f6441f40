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
  if (code === undefined || !refusals.includes(code) || path === undefined) return null;
  const isMaking = syscall === 'mkdir';
  const isRun = syscall?.startsWith('spawn') === true;
  const isIn = isAtOrBelow(path, dir) && !isRun && (code !== 'ENOENT' || isMaking);
  // A folder that has to be made first may be above.
  return isIn || (isMaking && isAtOrBelow(dir, path))
    ? `nothing can be written to ${dir} (${code}): name another data directory with --data DIR`
    : null;
}

const isAtOrBelow = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);
