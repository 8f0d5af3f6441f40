import { freePort } from '@countersign/service/free-port';
import { assertFree } from './port.ts';

/** Which port each part has, counted from the first one. Tools and documents rely on these numbers. */
const offsets = {
  gateway: 0,
  dashboard: 1,
  vault: 2,
  controlPlane: 3,
  facilitator: 4,
  chain: 5,
  quotes: 6,
  archive: 7,
  database: 8,
  shop: 9,
  door: 10,
} as const;

export type PortName = keyof typeof offsets;
export type PortPlan = Readonly<Record<PortName, number>>;

const names = Object.keys(offsets) as PortName[];

/** The ports of one system, from `base` on; 0 takes any free ones. */
export async function planPorts(base: number): Promise<PortPlan> {
  if (base !== 0) return planOf((name) => base + offsets[name]);
  const free = new Set<number>();
  while (free.size < names.length) free.add(await freePort());
  const ports = [...free];
  return planOf((name) => ports[offsets[name]] ?? 0);
}

const planOf = (portOf: (name: PortName) => number): PortPlan =>
  Object.fromEntries(names.map((name) => [name, portOf(name)])) as PortPlan;

/** Throws one sentence about the first port that somebody else listens on, and who of us wanted it. */
export async function assertPlanFree(plan: PortPlan, wanted: readonly PortName[]): Promise<void> {
  const why = await takenIn(plan, wanted);
  if (why !== null) throw new Error(`${why}. Choose other ports with --port-base N`);
}

/**
 * Returns one clause about the first port that is taken, and which service wanted it; null if all are free.
 */
export async function takenIn(plan: PortPlan, wanted: readonly PortName[] = names): Promise<string | null> {
  for (const name of wanted) {
    try {
      await assertFree(plan[name]);
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}; the ${name} wants it`;
    }
  }
  return null;
}
