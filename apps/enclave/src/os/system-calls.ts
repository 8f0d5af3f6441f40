import { closeSync } from 'node:fs';

/** Calls by which a process furnishes its own namespaces. Each throws where the kernel refuses. */
export type SystemCalls = {
  readonly mount: (
    source: string,
    target: string,
    type: string | null,
    flags: number,
    data: string | null,
  ) => void;
  /** Remounts everything at and below the path read-only, `nodev` and `nosuid`. */
  readonly makeReadOnly: (path: string) => void;
  readonly pivotRoot: (newRoot: string, putOld: string) => void;
  /** Detaches what is mounted there at once. */
  readonly unmount: (path: string) => void;
  /** Brings up `lo`. */
  readonly raiseLoopback: () => void;
  /** Gives up every capability of this thread; those of others are gone with a change of user alone. */
  readonly dropCapabilities: () => void;
};

/** Flags of mount(2). */
export const mountFlags = {
  noSuid: 2,
  noDev: 4,
  noExec: 8,
  bind: 4096,
  recursive: 16_384,
  private: 1 << 18,
} as const;

const pivotRootCall: Readonly<Record<string, number>> = { x64: 155, arm64: 41 };
/** mount_setattr(2), alike on all. */
const mountSetattrCall = 442;
const [atCwd, atRecursive] = [-100, 0x8000];
const [readOnly, noSuid, noDev] = [1n, 2n, 4n];
const detach = 2;
/** capset(2), by the version of the header that has 64 bits. */
const capsetCall: Readonly<Record<string, number>> = { x64: 126, arm64: 91 };
const capabilityVersion = 0x20080522;
/** netdevice(7). */
const [inet, datagram, setInterfaceFlags, upAndRunning] = [2, 2, 0x8914, 0x41];

export async function loadSystemCalls(): Promise<SystemCalls> {
  const { default: koffi } = await import('koffi');
  const library = koffi.load('libc.so.6');
  const mount = library.func('mount', 'int', ['str', 'str', 'str', 'ulong', 'str']);
  const umount2 = library.func('umount2', 'int', ['str', 'int']);
  const pivot = library.func('syscall', 'long', ['long', 'str', 'str']);
  const setattr = library.func('syscall', 'long', ['long', 'int', 'str', 'uint', 'void *', 'size_t']);
  const capset = library.func('syscall', 'long', ['long', 'void *', 'void *']);
  const socket = library.func('socket', 'int', ['int', 'int', 'int']);
  const ioctl = library.func('ioctl', 'int', ['int', 'ulong', 'void *']);
  const check = (answer: unknown, call: string) => {
    if ((answer as number) < 0) throw new Error(`${call} is refused (errno ${koffi.errno()})`);
  };
  return {
    mount: (source, target, type, flags, data) =>
      check(mount(source, target, type, flags, data), `mounting ${target}`),
    makeReadOnly: (path) => {
      const attributes = Buffer.alloc(32);
      attributes.writeBigUInt64LE(readOnly | noSuid | noDev);
      check(
        setattr(mountSetattrCall, atCwd, path, atRecursive, attributes, attributes.length),
        'mount_setattr',
      );
    },
    pivotRoot: (newRoot, putOld) =>
      check(pivot(pivotRootCall[process.arch] ?? -1, newRoot, putOld), 'pivot_root'),
    unmount: (path) => check(umount2(path, detach), 'umount2'),
    dropCapabilities: () => {
      const header = Buffer.alloc(8);
      header.writeUInt32LE(capabilityVersion);
      check(capset(capsetCall[process.arch] ?? -1, header, Buffer.alloc(24)), 'capset');
    },
    raiseLoopback: () => {
      const fd = socket(inet, datagram, 0) as number;
      check(fd, 'socket');
      const request = Buffer.alloc(40);
      request.write('lo');
      request.writeInt16LE(upAndRunning, 16);
      check(ioctl(fd, setInterfaceFlags, request), 'raising lo');
      closeSync(fd);
    },
  };
}
