/** Limits on one connector (spec: control-plane.connector). */
export const connectorLimits = {
  memoryMb: 512,
  cpu: 1,
  /** Processes and threads: Node has eleven. */
  pids: 64,
  /** So that what JavaScript keeps ends it before the kernel does. */
  node: ['--max-old-space-size=384'],
} as const;
