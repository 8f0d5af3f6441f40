/** What a GraphQL document does, by the specification of October 2021, section 2. */
export type GraphqlDocument = {
  /** Whether any operation in it is a mutation, whichever the server is told to run; also where it has too many names to tell. */
  readonly mutates: boolean;
  /** Names of its operations and of the fields at their roots, by fragments too, as the schema has them. */
  readonly names: readonly string[];
};

const token = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n\r]|\\.)*"?|#[^\n\r]*|\.\.\.|[A-Za-z_]\w*|[{}():@$]/g;
const kinds = new Set(['query', 'mutation', 'subscription']);
const isName = (part: string): boolean => /^[A-Za-z_]/.test(part);

const maxNames = 500;

/** An operation or a fragment: what it names at its root, and the fragments that say more of that. */
type Definition = { readonly names: string[]; readonly spreads: string[] };

type Place = {
  /** Selections that are open, outermost first: whether what stands in each stands at the root. */
  readonly open: boolean[];
  brackets: number;
  before: string;
  /** After `...`, until it is known for a spread: the selection that comes next belongs to the one that it stands in. */
  isInline: boolean;
};

/** Null for what is no document. One pass over its tokens. */
export function graphqlOf(text: string): GraphqlDocument | null {
  const document = new Document();
  for (const [part] of text.matchAll(token)) if (!/^["#]/.test(part)) document.read(part);
  return document.told();
}

class Document {
  readonly #operations: Definition = { names: [], spreads: [] };
  readonly #fragments = new Map<string, Definition>();
  readonly #place: Place = { open: [], brackets: 0, before: '', isInline: false };
  #at = this.#operations;
  #mutates = false;
  #isDocument = false;
  #count = 0;

  read(part: string): void {
    if (isOutside(this.#place)) this.#begin(part);
    this.#isDocument ||= part === '{' && this.#place.brackets === 0;
    const role = isName(part) ? roleOf(this.#place, part) : null;
    if (role !== null && (this.#count += 1) <= maxNames) this.#at[role].push(part);
    step(this.#place, part, role);
  }

  told(): GraphqlDocument | null {
    const mutates = this.#mutates || this.#count > maxNames;
    return this.#isDocument ? { mutates, names: namesOf(this.#operations, this.#fragments) } : null;
  }

  #begin(part: string): void {
    const { before } = this.#place;
    this.#mutates ||= part === 'mutation';
    if (kinds.has(part) || (part === '{' && isAnonymous(before))) this.#at = this.#operations;
    if (before === 'fragment') this.#at = definitionOf(this.#fragments, part);
  }
}

/** A selection that nothing stands before, or the end of the definition before it, is a query. */
const isAnonymous = (before: string): boolean => before === '' || before === '}';

function definitionOf(fragments: Map<string, Definition>, name: string): Definition {
  const known = fragments.get(name) ?? { names: [], spreads: [] };
  fragments.set(name, known);
  return known;
}

/** Each fragment once: a document may name them in a circle. */
function namesOf(operations: Definition, fragments: ReadonlyMap<string, Definition>): string[] {
  const reached = new Set<Definition>([operations]);
  for (const { spreads } of reached)
    for (const name of spreads) {
      const fragment = fragments.get(name);
      if (fragment !== undefined) reached.add(fragment);
    }
  return [...reached].flatMap(({ names }) => names);
}

const isOutside = ({ open, brackets }: Place): boolean => open.length === 0 && brackets === 0;

/** An operation's name after its kind, a field at the root, or a fragment that is spread there. */
function roleOf({ open, brackets, before, isInline }: Place, part: string): keyof Definition | null {
  if (brackets > 0 || before === '@' || before === '$') return null;
  if (open.length === 0) return kinds.has(before) ? 'names' : null;
  if (open.at(-1) !== true) return null;
  if (before === '...') return part === 'on' ? null : 'spreads';
  return isInline && before === 'on' ? null : 'names';
}

function step(place: Place, part: string, role: keyof Definition | null): void {
  if (part === '(') place.brackets += 1;
  else if (part === ')') place.brackets -= 1;
  else if (place.brackets === 0) {
    if (part === '{')
      place.open.push(place.open.length === 0 || (place.isInline && place.open.at(-1) === true));
    if (part === '}') place.open.pop();
    if (part === '...') place.isInline = true;
    else if (role !== null || part === '{' || part === '}') place.isInline = false;
  }
  place.before = part;
}
