/** What a GraphQL document does, by the specification of October 2021, section 2. */
export type GraphqlDocument = {
  /** Whether any operation in it is a mutation, whichever the server is told to run. */
  readonly mutates: boolean;
  /** Names of its operations and of the fields at their roots, as the schema has them. */
  readonly names: readonly string[];
};

const token = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*|\.\.\.|[A-Za-z_]\w*|[{}():@$]/g;
const kinds = new Set(['query', 'mutation', 'subscription']);
const isName = (part: string): boolean => /^[A-Za-z_]/.test(part);

type Place = { braces: number; brackets: number; isFragment: boolean; before: string };

/** Null for what is no document. One pass over its tokens. */
export function graphqlOf(text: string): GraphqlDocument | null {
  const names: string[] = [];
  let [mutates, isDocument] = [false, false];
  const place: Place = { braces: 0, brackets: 0, isFragment: false, before: '' };
  for (const [part] of text.matchAll(token)) {
    if (part.startsWith('"') || part.startsWith('#')) continue;
    isDocument ||= part === '{' && place.brackets === 0;
    mutates ||= part === 'mutation' && isOutside(place);
    if (isName(part) && names.length < 500 && isCalled(place)) names.push(part);
    step(place, part);
  }
  return isDocument ? { mutates, names } : null;
}

const isOutside = ({ braces, brackets }: Place): boolean => braces === 0 && brackets === 0;

/** An operation's name after its kind, or a field at its root. */
function isCalled({ braces, brackets, isFragment, before }: Place): boolean {
  if (brackets > 0 || before === '@' || before === '$') return false;
  if (braces === 0) return kinds.has(before);
  return braces === 1 && !isFragment && before !== '...' && before !== 'on';
}

function step(place: Place, part: string): void {
  if (part === '(') place.brackets += 1;
  else if (part === ')') place.brackets -= 1;
  else if (place.brackets === 0) {
    if (isOutside(place) && (kinds.has(part) || part === 'fragment')) place.isFragment = part === 'fragment';
    if (part === '{') place.braces += 1;
    if (part === '}') place.braces -= 1;
  }
  place.before = part;
}
