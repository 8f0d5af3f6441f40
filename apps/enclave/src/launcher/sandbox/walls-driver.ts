import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { surroundings } from '../../os/surroundings.ts';
import { type Caps, makeCaps } from '../caps/caps.ts';
import { findHierarchy } from '../caps/cgroup.ts';
import { groupName } from '../jail/leftovers.ts';
import { connectorUid } from '../users.ts';
import { systemFiles } from '../jail/visible.ts';
import { type Wall, walls } from '../jail/walls.ts';
import type { Furnishing } from '../../channel/connector.ts';
import { pick } from './docker.ts';
import type { SandboxDriver, Way } from './driver.ts';
import { connectorLimits } from './limits.ts';

export type WallsDriverOptions = {
  readonly isolation: 'required' | 'best';
  /** The file that runs. */
  readonly program: string;
};

/** Namespaces of this machine's kernel: bubblewrap where it is installed, else `unshare`; with `best` without either. */
export function wallsDriver({ isolation, program }: WallsDriverOptions): SandboxDriver {
  const hierarchy = findHierarchy();
  const isRoot = process.getuid?.() === 0;
  return {
    ways: (number) => {
      const uid = connectorUid(number);
      const visible = [...systemFiles, ...nativeFolders()];
      const all = walls({ level: isolation, isRoot, uid, visible, program });
      // Whether the browser has a sandbox of its own is nothing to a connector.
      return all
        .filter(({ sandbox }) => sandbox)
        .map((wall) => () => {
          const caps = makeCaps(hierarchy, groupName('connector', number), connectorLimits);
          return wayOf(wall, caps, program, isolation);
        });
    },
  };
}

const { resolve } = createRequire(import.meta.url);

/** Returns the directories of our program's native modules. */
const nativeFolders = (): readonly string[] =>
  ['koffi', '@koromix/koffi-linux-x64', '@koromix/koffi-linux-arm64'].flatMap((name) => {
    try {
      return [dirname(resolve(name))];
    } catch {
      return [];
    }
  });

function wayOf(wall: Wall, caps: Caps, program: string, isolation: 'required' | 'best'): Way {
  const furnishing: Furnishing = {
    outside: surroundings(),
    // It needs no more than its own program: Node is loaded already, and nothing else can be started.
    visible: wall.furnishes ? [dirname(program)] : null,
    user: wall.furnishes ? wall.user : null,
  };
  const command = [
    ...caps.prefix,
    ...wall.prefix,
    ...(wall.furnishes ? [] : wall.drop),
    process.execPath,
    ...connectorLimits.node,
    program,
    'enclave',
    'connector',
    JSON.stringify(furnishing),
  ];
  return {
    driver: wall.tool,
    memory: caps.memory_cap,
    command,
    env: pick('PATH'),
    mustBeApart: isolation === 'required',
    ranOut: caps.ranOut,
    remove: caps.remove,
  };
}
