import type { Body, Member } from './body.ts';
import { graphqlOf } from './graphql.ts';
import { looks, mayRead, namedByVerbs, reads, writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** What a body calls by name: GraphQL, JSON-RPC, SOAP, `action=…`. */
export type Calls = {
  readonly protocol: 'graphql' | 'rpc' | 'none';
  /**
   * `read`: all that is called only reads. `perhaps`: the same, by a name that buttons and states have too (`mode=list`), or by `load`.
   * `write`: something is a mutation, or a verb that changes. `other`: it says what, by no verb that is known. `unsaid`: it does not say.
   */
  readonly does: 'read' | 'perhaps' | 'write' | 'other' | 'unsaid';
  /** The words of each name that is called. */
  readonly names: readonly (readonly string[])[];
};

const nothing: Calls = { protocol: 'none', does: 'unsaid', names: [] };

/** The name of a member under which a value says what is to be done. */
const saysWhat =
  /^(_?actions?|ops?|operation|operation_?type|operation_?name|cmd|command|do|act|method|_?method|intent|task|verb|fn|func|function|proc|procedure|mutation|submit|commit|button|btn|mode|event_?target|__event_?target|methodname|fb_api_req_friendly_name|rpc|job|bulk_?action|todo|submit_?action|form_?action|soapaction|opname)$/i;
/** Of these, names of buttons and settings: what they say may be no call. */
const saysPerhaps = /^(mode|submit|commit|button|btn|task|intent|job|todo)$/i;
/** At the top only: below it is what a search looks for. */
const saysState = /^(status|state|type)$/i;
/** Of these, what says how a thing is, and not what is done to it. */
const isState = ({ name }: Member): boolean => /^(status|state)$/i.test(name);

const saysSomething = ({ name, depth }: Member): boolean =>
  saysWhat.test(name) || (depth === 0 && saysState.test(name));

/** Whether a member says what is to be done. */
export const isCall = (member: Member): boolean => saysSomething(member) && !isState(member);

export function callsIn({ shape, members }: Body, documents: readonly Member[]): Calls {
  if (documents.length > 0) {
    const outside = graphqlIn([...documents, ...members]);
    if (outside !== null) return outside;
  }
  if (shape === 'json' || shape === 'form' || shape === 'multipart') {
    const graphql = graphqlIn(members);
    if (graphql !== null) return graphql;
    const rpc = members.some(({ name }) => name === 'jsonrpc') || isBareRpc(members);
    if (rpc)
      return byNames(
        'rpc',
        members.filter(({ name }) => name === 'method').map(({ value }) => value),
      );
  }
  if (shape === 'xml') return soapIn(members);
  const said = members.filter(saysSomething);
  const told = called(said.filter(isCall));
  return said.length === 0 ? nothing : { ...told, names: called(said).names };
}

/** What members call by their values. */
function called(said: readonly Member[]): Calls {
  const found = byNames(
    'none',
    said.flatMap(({ value }) => (value.length <= 80 ? [value] : [])),
  );
  const sure = said.filter(({ name }) => !saysPerhaps.test(name) && !saysState.test(name));
  if (found.does === 'read' && sure.length === 0) return { ...found, does: 'perhaps' };
  const isOther = found.does === 'unsaid' && sure.some(({ depth, value }) => depth === 0 && value !== '');
  return isOther ? { ...found, does: 'other' } : found;
}

const isBareRpc = (members: readonly Member[]): boolean => {
  const top = members.filter(({ depth }) => depth === 0).map(({ name }) => name);
  return top.includes('method') && top.includes('params');
};

function graphqlIn(members: readonly Member[]): Calls | null {
  const documents = members.flatMap(({ name, value }) =>
    name === 'query' || name === 'mutation' ? (graphqlOf(value) ?? []) : [],
  );
  const named = members.filter(({ name }) => /^(operationName|fb_api_req_friendly_name)$/.test(name));
  if (documents.length === 0 && !(named.length > 0 && isPersisted(members))) return null;
  const names = [...documents.flatMap((one) => one.names), ...named.map(({ value }) => value)].map(wordsOf);
  const hashes = hashesIn(members, documents.length > 0);
  if (!hashes.every(isHash) || hashes.length > named.length)
    return { protocol: 'graphql', does: 'unsaid', names };
  if (documents.some(({ mutates }) => mutates)) return { protocol: 'graphql', does: 'write', names };
  if (hashes.length === 0 && documents.length > 0 && documents.length >= named.length)
    return { protocol: 'graphql', does: 'read', names };
  return {
    ...byNames(
      'graphql',
      named.map(({ value }) => value),
    ),
    names,
  };
}

const hash = /^(sha256Hash|query_?hash|doc_?id|document_?id|query_?id)$/i;

/**
 * Members that say which document is run of those that stay with the server, whatever stands beside them. It is believed by the name of
 * its operation: by the specification (GetOperation) no other one of a document is run than that which is named.
 */
const hashesIn = (members: readonly Member[], hasDocument: boolean): readonly Member[] =>
  members.filter(
    ({ name, value, depth }) =>
      hash.test(name) ||
      (name === 'extensions' && value.includes('sha256Hash')) ||
      (!hasDocument && depth === 0 && /^(id|hash)$/.test(name)),
  );

const isHash = ({ name, value }: Member): boolean => name !== 'sha256Hash' || /^[0-9a-f]{64}$/.test(value);

/** The document stays with the server and is named by its hash. */
const isPersisted = (members: readonly Member[]): boolean =>
  members.some(({ name }) =>
    /^(persistedQuery|sha256Hash|doc_id|documentId|queryId|extensions|variables)$/.test(name),
  );

const envelope = /^(envelope|header|body|security|xml|methodcall)$/i;

function soapIn(members: readonly Member[]): Calls {
  const method = members.find(({ name }) => name === 'methodName')?.value;
  const body = members.findIndex(({ name }) => /^body$/i.test(name));
  const call = members.slice(body + 1).find(({ name }) => !envelope.test(name))?.name;
  const name = method ?? call;
  return name === undefined ? nothing : byNames('rpc', [name]);
}

/** Names of calling itself. */
const calls = among('call|invoke|rpc|request');

function byNames(protocol: Calls['protocol'], values: readonly string[]): Calls {
  const called = [...new Set(values)].filter((value) => {
    const words = wordsOf(value);
    return words.length > 0 && !calls(words.join(''));
  });
  const names = called.map(wordsOf);
  if (names.length === 0) return { protocol, does: 'unsaid', names };
  if (called.every(readsByName)) return { protocol, does: 'read', names };
  if (called.every((value) => readsByName(value) || loads(wordsOf(value))))
    return { protocol, does: 'perhaps', names };
  return { protocol, does: names.some((words) => words.some(writes)) ? 'write' : 'unsaid', names };
}

/** Of `orders.list` or `Email/query` the last part says what is done; `notifications.read` marks them. */
export function readsByName(value: string): boolean {
  const parts = value.split(/[.:/]/).filter((part) => part !== '');
  const last = wordsOf(parts.at(-1) ?? '');
  if (parts.length < 2) return readsOnly(last);
  return !wordsOf(value).some(writes) && !looks(last[0]) && readsOnly(last);
}

/** What makes another verb of one: `checkOut`, `checkAndPay`. */
const turnsVerb = among('in|out|off|up|on|over|down|and|or|then');
/** What frameworks put before a name. */
const framework = among('web|api|rpc|ajax|wp|action|do');

/** `getItems`, `items.list`, `web_search_read`, `HomeTimelineQuery`; but `notifications.read` marks them, and `guestListBuy` buys. */
export function readsOnly(all: readonly string[]): boolean {
  const words = all.slice(all.findIndex((word) => !framework(word)));
  if (reads(words.join(''))) return true;
  if (all.some(writes) || all.includes('mutation') || words.includes('load') || actsAfterAnd(all))
    return false;
  if (looks(words[0])) return !turnsVerb(words[1]);
  const at = words.findIndex((word) => reads(word));
  if (at >= 0) return isObject(words.slice(0, at));
  return (
    (mayRead(words[0]) && (words.length === 2 || isObject(words.slice(1)))) ||
    (mayRead(words.at(-1)) && isObject(words.slice(0, -1)))
  );
}

/** `loadMore` reads, `loadWallet` does not. */
const loads = (words: readonly string[]): boolean =>
  words.includes('load') && !words.some(writes) && isObject(words.filter((word) => word !== 'load'));

const isObject = (words: readonly string[]): boolean => namedByVerbs(words).length === 0;

const actsAfterAnd = (words: readonly string[]): boolean =>
  words.some((word, at) => /^(and|or|then)$/.test(word) && !isObject(words.slice(at + 1)));
