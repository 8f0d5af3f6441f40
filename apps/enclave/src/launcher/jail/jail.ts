import { type ChildProcess, spawn } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import { surroundings } from '../../os/surroundings.ts';
import type { Caps } from '../caps/caps.ts';
import type { Egress } from '../egress.ts';
import type { Engine } from '../engine/engine.ts';
import { chromiumFlags } from './flags.ts';
import type { BrowserEnd, Refused } from '../../channel/browser-host.ts';
import type { Found, FromJail, ToJail } from '../../channel/jail.ts';
import { killGroup, ownGroup } from '../process-group.ts';
import type { Profile } from './profile.ts';
import type { Wall } from './walls.ts';

export type JailOptions = {
  /** Tells this jail from the launcher's others. */
  readonly number: number;
  readonly wall: Wall;
  readonly engine: Engine;
  /** The file that runs. */
  readonly program: string;
  readonly visible: readonly string[];
  readonly profile: Profile;
  readonly caps: Caps;
  readonly egress: Egress;
};

/** A browser in its jail, which goes nowhere until the egress proxy allows it. */
export type Jail = {
  readonly number: number;
  readonly toBrowser: Socket;
  readonly fromBrowser: Socket;
  readonly isolation: SandboxIsolation;
  readonly onRefused: (hear: (refused: Refused) => void) => void;
  readonly ended: Promise<BrowserEnd>;
  readonly stop: () => Promise<void>;
};

/**
 * In milliseconds: time for a jail to start, time for it to exit on its own, and the interval between checks
 * for exhausted memory.
 */
const [patienceMs, endMs, askEveryMs] = [30_000, 2000, 200];

/** Builds the jail and starts the browser in it. A refusal is what the tools said, for the log. */
export async function buildJail(options: JailOptions): Promise<Result<Jail, string>> {
  const building = new Building(options);
  const found = await building.found;
  if (found === null) return fail(await building.whyNot());
  return ok(building.finish(found));
}

class Building {
  readonly #options: JailOptions;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly found: Promise<Found | null>;
  #said = '';
  #isAsked = false;
  #ranOut = false;
  #hear: (refused: Refused) => void = () => {};

  constructor(options: JailOptions) {
    this.#options = options;
    this.#child = spawnInit(options);
    this.#gone = goneOf(this.#child);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(0, 500);
    });
    this.#watchMemory();
    // Their ends are told elsewhere.
    for (const end of this.#pipe()) end.on('error', () => {});
    this.found = this.#bringUp();
  }

  async whyNot(): Promise<string> {
    await this.#end();
    return `${this.#options.wall.tool}: ${this.#said.trim().split('\n').at(-1) || 'the browser ended at once'}`;
  }

  finish(found: Found): Jail {
    const [toBrowser, fromBrowser] = this.#pipe();
    const { number } = this.#options;
    return {
      number,
      toBrowser,
      fromBrowser,
      isolation: isolationOf(found, this.#options),
      onRefused: (hear) => {
        this.#hear = hear;
      },
      ended: this.#gone.then(() => this.#cleanUp()),
      stop: () => this.#end(),
    };
  }

  #pipe(): readonly [Socket, Socket] {
    const [, , , toBrowser, fromBrowser] = this.#child.stdio;
    return [toBrowser as Socket, fromBrowser as Socket];
  }

  /** Says what is to be done next as soon as it is done; null when it ended instead. */
  #bringUp(): Promise<Found | null> {
    const { wall, visible } = this.#options;
    return new Promise((resolve) => {
      let isFirst = true;
      this.#child.on('message', (message: FromJail, server?: Server) => {
        if ('alive' in message) {
          const preparation = { visible: wall.furnishes ? visible : null, raiseLoopback: wall.furnishes };
          this.#tell({ prepare: { outside: surroundings(), ...preparation } });
        } else if ('port' in message && server !== undefined) {
          void this.#listen(server, isFirst ? message.port : null);
          isFirst = false;
        } else if ('running' in message) resolve(message.running);
      });
      void this.#gone.then(() => resolve(null));
      setTimeout(() => resolve(null), patienceMs).unref();
    });
  }

  /** The browser is started when the proxy listens for the first time. */
  async #listen(server: Server, firstPort: number | null): Promise<void> {
    await this.#options.egress.listen(this.#options.number, server, {
      reopen: () => this.#tell({ listen: true }),
      onRefused: (refused) => this.#hear(refused),
    });
    if (firstPort !== null) this.#launch(firstPort);
  }

  #launch(proxyPort: number): void {
    const { wall, engine, profile } = this.#options;
    const flags = chromiumFlags({ proxyPort, profile: profile.path, sandbox: wall.sandbox });
    const [program = engine.path, ...args] = [...wall.drop, engine.path, ...flags];
    const home = { HOME: profile.path, TMPDIR: profile.path, XDG_CONFIG_HOME: profile.path };
    const env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      ...home,
      ...engine.env,
    };
    this.#tell({ launch: { command: [program, ...args], env, user: wall.user } });
  }

  /** The kernel ends one process; the rest of a browser without it is no browser. */
  #watchMemory(): void {
    const timer = setInterval(() => {
      if (this.#isAsked || !this.#options.caps.ranOut()) return;
      clearInterval(timer);
      this.#ranOut = true;
      void this.#cutOff();
    }, askEveryMs);
    void this.#gone.then(() => clearInterval(timer));
  }

  async #end(): Promise<void> {
    this.#isAsked = true;
    await this.#cutOff();
    this.#cleanUp();
  }

  /** Closes the channel, which ends the jail. */
  async #cutOff(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const impatient = setTimeout(() => killGroup(this.#child), endMs);
    await this.#gone;
    clearTimeout(impatient);
  }

  #cleanUp(): BrowserEnd {
    const { egress, number, profile, caps } = this.#options;
    const ranOut = this.#ranOut || caps.ranOut();
    egress.forget(number);
    profile.remove();
    caps.remove();
    // Whoever hears of it first, by the pipe that is closed, asks for its end too.
    if (ranOut) return 'out_of_memory';
    return this.#isAsked ? 'closed' : 'crashed';
  }

  #tell(message: ToJail): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

function spawnInit({ wall, program, caps }: JailOptions): ChildProcess {
  const [command, ...args] = [...caps.prefix, ...wall.prefix, process.execPath, program, 'enclave', 'jail'];
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    // A session of its own: what a terminal sends is for us.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  return ownGroup(child);
}

const goneOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });

const isolationOf = (found: Found, { wall, caps }: JailOptions): SandboxIsolation => ({
  level: found.networkNamespace ? 'full' : 'weaker',
  network_namespace: found.networkNamespace,
  own_user: found.ownUser,
  process_namespace: found.processNamespace,
  chromium_sandbox: found.chromiumSandbox,
  memory_cap: caps.memory_cap,
  cpu_cap: caps.cpu_cap,
  tool: wall.tool,
});
