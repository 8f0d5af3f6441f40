type Member<T> = { readonly value: T; at: number };

/**
 * A set for what comes and goes thousands of times a second. V8's `Set` and `Map` take a new table every few additions,
 * and a table that has grown old keeps the next one, and all that was in it, until a major collection: of every call
 * that was in flight then, its requests, answers and promises. Here there is one table, and order means nothing.
 */
export class Crowd<T> {
  readonly #members: Member<T>[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Gives what takes the value out again; asked twice, it does nothing. */
  add(value: T): () => void {
    const member = { value, at: this.#members.length };
    this.#members.push(member);
    return () => this.#remove(member);
  }

  #remove(member: Member<T>): void {
    if (this.#members[member.at] !== member) return;
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#members[member.at] = last;
    last.at = member.at;
  }

  /** Those that are in it now: who joins or leaves meanwhile changes nothing. */
  all(): readonly T[] {
    return this.#members.map(({ value }) => value);
  }
}
