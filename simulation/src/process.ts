import type { GatewayPorts } from '@countersign/gateway/ports/gateway-ports';
import type { Life } from './schedule.ts';

/** A gateway process, until it dies. */
export class Process {
  readonly life: Life;
  readonly disk: number;
  readonly ports: GatewayPorts;
  #mourners: (() => void)[] = [];

  constructor(life: Life, disk: number, ports: GatewayPorts) {
    this.life = life;
    this.disk = disk;
    this.ports = ports;
  }

  onDeath(tell: () => void): void {
    this.#mourners.push(tell);
  }

  /** Nothing of it runs any more; what it has sent is under way. */
  die(): void {
    this.life.isAlive = false;
    for (const tell of this.#mourners.splice(0)) tell();
  }
}
