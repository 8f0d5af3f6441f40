/**
 * System calls that the core never needs, and that someone who took it over would: to look into other processes, to
 * load programs, to change namespaces, to speak to a network. By processor, as numbered in the kernel's tables.
 */
const refused = {
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  kcmp: { x64: 312, arm64: 272 },
  execve: { x64: 59, arm64: 221 },
  execveat: { x64: 322, arm64: 281 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  io_uring_setup: { x64: 425, arm64: 425 },
  keyctl: { x64: 250, arm64: 219 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  kexec_load: { x64: 246, arm64: 104 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  open_by_handle_at: { x64: 304, arm64: 265 },
} as const;
const socket = { x64: 41, arm64: 198 } as const;
const architecture = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** `fork` and `vfork`, which newer processors do not have. */
const forks = { x64: [57, 58], arm64: [] } as const;
const clone = { x64: 56, arm64: 220 } as const;
const [clone3, cloneThread] = [435, 0x10000];

const [load, jumpEqual, jumpAtLeast, jumpIfSet, give] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [allow, kill, notPermitted, notThere] = [0x7fff0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38];
/** Offsets in the kernel's `seccomp_data`. */
const [numberAt, architectureAt, firstArgumentAt] = [0, 4, 16];
const unixSockets = 1;
/** Numbers of the 32-bit ABI of x64 begin here. */
const foreignAbi = 0x40000000;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** Who is filtered: a connector has no sockets at all, and starts threads, but no processes. */
export type Filtered = 'core' | 'connector';

/** The filter in classic BPF: it answers EPERM to what is refused, and to sockets of any kind but the core's Unix ones. */
export function seccompFilter(arch: 'x64' | 'arm64', who: Filtered): Buffer {
  const calls = Object.values(refused).map((numbers) => numbers[arch]);
  const program: Instruction[] = [
    [load, 0, 0, architectureAt],
    [jumpEqual, 1, 0, architecture[arch]],
    [give, 0, 0, kill],
    [load, 0, 0, numberAt],
    [jumpAtLeast, 0, 1, foreignAbi],
    [give, 0, 0, notPermitted],
    ...calls.flatMap((number): Instruction[] => [
      [jumpEqual, 0, 1, number],
      [give, 0, 0, notPermitted],
    ]),
    ...(who === 'core' ? unixSocketsOnly(arch) : onlyThreads(arch)),
    [give, 0, 0, allow],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, value], i) => {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(whenTrue, i * 8 + 2);
    bytes.writeUInt8(whenFalse, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  });
  return bytes;
}

const unixSocketsOnly = (arch: 'x64' | 'arm64'): Instruction[] => [
  [jumpEqual, 0, 3, socket[arch]],
  [load, 0, 0, firstArgumentAt],
  [jumpEqual, 1, 0, unixSockets],
  [give, 0, 0, notPermitted],
];

/** The flags of `clone3` stand in memory, where a filter cannot look: the C library does without it where it is not there. */
const onlyThreads = (arch: 'x64' | 'arm64'): Instruction[] => [
  ...[socket[arch], ...forks[arch]].flatMap((number): Instruction[] => [
    [jumpEqual, 0, 1, number],
    [give, 0, 0, notPermitted],
  ]),
  [jumpEqual, 0, 1, clone3],
  [give, 0, 0, notThere],
  [jumpEqual, 0, 3, clone[arch]],
  [load, 0, 0, firstArgumentAt],
  [jumpIfSet, 1, 0, cloneThread],
  [give, 0, 0, notPermitted],
];
