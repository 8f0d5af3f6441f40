import { ok, type Result } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import type { Observation, ObservedTarget } from '@countersign/review/observation';
import type { Alarm, Browser, PageData, Text } from '../src/core/browser/browser.ts';
import type { BrowserHost, StartedBrowser } from '../src/channel/browser-host.ts';

/** A browser without pages: it shows what a test lets it show, opens secrets when it fills, and tells what was done. */
export class FakeBrowser implements Browser {
  url = 'https://shop.example/';
  target: ObservedTarget | null = null;
  touched = false;
  reading = { nodes: 1, characters: 10 };
  /** What was done, secrets as they were opened. */
  readonly done: string[] = [];
  /** The answer to the next operations. */
  result: Result<unknown, OperationProblem> = ok(null);
  data: PageData = { url: this.url, title: '', text: '', tables: [] };
  /** Is waited for before an operation is done. */
  before: () => Promise<void> = () => Promise.resolve();
  /** Whether what is filled in is sent at once. */
  isSending = false;
  isClosed = false;
  readonly alarm: (alarm: Alarm) => void;
  readonly ended: Promise<void>;
  #end: () => void = () => {};

  constructor(alarm: (alarm: Alarm) => void) {
    this.alarm = alarm;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  readonly takeMoves = (): number => 0;

  readonly observe = async (): Promise<Observation> => ({
    url: this.url,
    target: this.target,
    touched: this.touched,
    reading: this.reading,
  });

  readonly perform = async (
    operation: Operation,
    value: Text,
  ): Promise<Result<unknown, OperationProblem>> => {
    await this.before();
    const parts: string[] = [];
    for (const part of value)
      parts.push(typeof part === 'string' ? part : await part.open((bytes) => bytes.toString()));
    if (this.isSending) for (const part of value) if (typeof part !== 'string') part.onSent?.();
    this.done.push(`${operation.operation_type} ${parts.join('')}`.trim());
    if (operation.operation_type === 'navigate') this.url = parts.join('');
    return this.result;
  };

  readonly cookies = async () => [];

  readonly currentDocument = () => this.url;

  readonly screenshot = async () => ok({ png: Buffer.from('PNG of the page'), width: 800, height: 600 });

  readonly outlined = async () => ok({ png: Buffer.from('PNG with lines'), width: 800, height: 600 });

  readonly read = async () => ok(this.data);
  readonly release = async () => ok(null);
  readonly drop = (): void => {};
  readonly currentUrl = (): string => this.url;

  readonly close = async (): Promise<void> => {
    this.isClosed = true;
    this.#end();
  };
}

export const isolation = {
  level: 'full',
  network_namespace: true,
  own_user: true,
  process_namespace: true,
  chromium_sandbox: true,
  memory_cap: 'cgroup',
  cpu_cap: 'cgroup',
  tool: 'unshare',
} as const;

/** Starts nothing; a test says when and why a browser dies, and what its egress proxy refused. */
export class FakeHost implements BrowserHost {
  readonly about = () => null;
  readonly die = new Map<string, (why: 'crashed' | 'out_of_memory') => void>();
  readonly refuse = new Map<string, (refused: { host: string; port: number }) => void>();
  isBroken = false;

  readonly start: BrowserHost['start'] = async ({ sessionId }) => {
    if (this.isBroken) return { ok: false, error: 'There are no namespaces on this machine.' };
    let end: (why: 'closed' | 'crashed' | 'out_of_memory') => void = () => {};
    const ended: StartedBrowser['ended'] = new Promise((resolve) => {
      end = resolve;
    });
    this.die.set(sessionId, end);
    const unused = null as never;
    return ok({
      toBrowser: unused,
      fromBrowser: unused,
      isolation,
      onRefused: (hear) => void this.refuse.set(sessionId, hear),
      ended,
      stop: async () => end('closed'),
    });
  };
}
