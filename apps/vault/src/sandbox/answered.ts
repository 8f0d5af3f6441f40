/** So many of the newest are known. */
const maxKnown = 1024;

/** Operations of which this process has kept how they ended: whatever else tells of them tells less. */
export class Answered {
  readonly #ids = new Set<string>();

  add(id: string): void {
    const [oldest] = this.#ids;
    if (this.#ids.size >= maxKnown && oldest !== undefined) this.#ids.delete(oldest);
    this.#ids.add(id);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
