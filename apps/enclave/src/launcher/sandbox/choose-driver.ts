import { dockerDriver } from './docker.ts';
import type { SandboxDriver } from './driver.ts';
import { kubernetesDriver } from './kubernetes.ts';
import { wallsDriver, type WallsDriverOptions } from './walls-driver.ts';

export type DriverChoice = WallsDriverOptions & {
  readonly driver: 'auto' | 'docker' | 'kubernetes';
  readonly image: string | null;
  readonly runtimeClass: string | null;
};

export function chooseDriver({ driver, image, runtimeClass, ...own }: DriverChoice): SandboxDriver {
  switch (driver) {
    case 'auto':
      return wallsDriver(own);
    case 'docker':
      return dockerDriver({ image: image ?? '' });
    case 'kubernetes':
      return kubernetesDriver({ image: image ?? '', runtimeClass });
  }
}
