import type { Recorder } from './records.ts';

/** So many different ones of a session get a record each; a page could make millions. */
const maxRecorded = 50;

/** Requests of the browser that were not sent, because they led out of the session's scope, held a decoy or nobody was there to ask. */
export class RefusedRequests {
  count = 0;
  readonly #record: Recorder;
  readonly #mask: (text: string) => Promise<string>;
  readonly #known = new Set<string>();

  constructor(record: Recorder, mask: (text: string) => Promise<string>) {
    this.#record = record;
    this.#mask = mask;
  }

  /** `where` is an address without query, or host and port. Pages choose it, so it may hold anything. */
  note(
    rule: 'scope.request' | 'scope.connection' | 'request.late' | 'decoy.own-site',
    where: string,
    more: Record<string, unknown> = {},
  ): void {
    this.count += 1;
    const known = `${rule} ${where}`;
    if (this.#known.has(known) || this.#known.size >= maxRecorded) return;
    this.#known.add(known);
    void this.#tell(rule, where.slice(0, 2048), more);
  }

  /** The request was refused already: a record that fails stops nothing, and the next one tells. */
  async #tell(rule: string, where: string, more: Record<string, unknown>): Promise<void> {
    const url = (await this.#mask(where)).slice(0, 2048);
    await this.#record({
      eventType: 'policy_rejected',
      who: 'browser',
      detail: { rules: [{ rule, verdict: 'deny' }], verdict: 'deny', url, ...more },
    });
  }
}
