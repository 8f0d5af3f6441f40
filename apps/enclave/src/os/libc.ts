/**
 * Calls of the C library that Node does not offer. Each returns the call's own result: negative or null means
 * failure.
 */
export type Libc = {
  readonly prctl: (option: number, value: number) => number;
  readonly memfdSecret: () => number;
  /** So many bytes of the file, shared and locked; null when refused. */
  readonly map: (fd: number, bytes: number) => Buffer | null;
  /** Installs a seccomp filter for all threads: instructions of 8 bytes each. */
  readonly seccomp: (filter: Buffer) => number;
};

const [memfdSecretCall, seccompCall] = [447, { x64: 317, arm64: 277 }] as const;
const [filterMode, allThreads] = [1, 1];
const [readWrite, shared] = [3, 1];

/** Null where there is no such library, or no way to call it: another system, another kind of processor. */
export async function loadLibc(): Promise<Libc | null> {
  const { platform, arch } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return null;
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const program = koffi.struct({ length: 'uint16', filter: 'void *' });
    const prctl = library.func('prctl', 'int', ['int', 'ulong', 'ulong', 'ulong', 'ulong']);
    const syscall = library.func('syscall', 'long', ['long', 'ulong']);
    const install = library.func('syscall', 'long', ['long', 'ulong', 'ulong', koffi.pointer(program)]);
    const mmap = library.func('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'long']);
    const truncate = library.func('ftruncate', 'int', ['int', 'long']);
    return {
      prctl: (option, value) => prctl(option, value, 0, 0, 0) as number,
      memfdSecret: () => syscall(memfdSecretCall, 0) as number,
      map: (fd, bytes) => {
        if (truncate(fd, bytes) !== 0) return null;
        const at: unknown = mmap(null, bytes, readWrite, shared, fd, 0);
        return isRefused(koffi.address(at)) ? null : Buffer.from(koffi.view(at, bytes));
      },
      seccomp: (filter) =>
        install(seccompCall[arch], filterMode, allThreads, { length: filter.length / 8, filter }) as number,
    };
  } catch {
    return null;
  }
}

/** mmap(2) gives -1. */
const isRefused = (address: bigint): boolean =>
  address === 0n || address === 2n ** 64n - 1n || address === -1n;
