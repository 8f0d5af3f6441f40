import type { Member } from '../body.ts';
import { question } from '../search.ts';
import { namedByVerbs, writes } from '../verbs.ts';
import { among, wordsOf } from '../words.ts';
import type { Shape } from './shape.ts';

/** ASP.NET and Faces: a page sends all its fields to itself, and what was pressed is one among them. */
export const isPostback: Shape = ({ body: { shape, members, hasFile } }) => {
  const has = (name: RegExp): boolean => members.some((member) => name.test(member.name));
  const [isAspNet, isFaces] = [has(/^__VIEWSTATE/), has(/^(javax|jakarta)\.faces\./)];
  if (!isAspNet && !isFaces) return null;
  if ((shape !== 'form' && shape !== 'multipart') || hasFile) return false;
  const filled = members.filter(({ value }) => value !== '');
  return isAspNet ? turnsGrid(filled) : turnsTable(filled) || onlyAsks(filled);
};

/** What turns a page, and sorts or asks anew; not `next`, which takes a shop's visitor on. */
const turning = among(
  'pager|page|paging|pagination|sort|search|find|filter|refresh|suchen?|buscar|recherche|rechercher|cerca|zoeken|szukaj|ara|検索|검색|搜索|查询',
);
const turns = (name: string): boolean => {
  const words = wordsOf(name);
  return words.some(turning) && !words.some(writes) && namedByVerbs(words).length === 0;
};

const ofFramework = /^(__|(javax|jakarta)\.faces\.)/;
const partsOf = (name: string): string[] => name.split(/[$:]/);
const ownName = (name: string): string => partsOf(name).at(-1) ?? '';

/** By the prefixes that such fields have, or as a question is called. Whatever else has a value may be a button. */
const isField = ({ name }: Member): boolean =>
  /^(txt|tb|ddl|dd|cbo?|chk|rbl?|cbl|lst|sel|hdn|hf|hid)(?=[A-Z_])/.test(ownName(name)) ||
  question(wordsOf(ownName(name)).join(''));

const onlyAsks = (filled: readonly Member[]): boolean => {
  // A form of Faces sends its own name.
  const forms = new Set(filled.flatMap(({ name }) => (name.includes(':') ? [name.split(':')[0]] : [])));
  const pressed = filled.filter(
    (member) =>
      !ofFramework.test(member.name) &&
      !isField(member) &&
      !(member.name === member.value && forms.has(member.name)),
  );
  return pressed.length > 0 && pressed.every(({ name }) => turns(ownName(name)));
};

/** `__EVENTTARGET` is what was pressed, `__EVENTARGUMENT` what is to be done with it; without a target a button is a field. */
function turnsGrid(filled: readonly Member[]): boolean {
  const valueOf = (name: string): string => filled.find((one) => one.name === name)?.value ?? '';
  const [target, argument] = [valueOf('__EVENTTARGET'), valueOf('__EVENTARGUMENT')];
  if (target === '') return onlyAsks(filled);
  const isTurned =
    /^(Page|Sort)\$[\w.]+$/.test(argument) ||
    (turns(ownName(target)) && /^\w*$/.test(argument)) ||
    (partsOf(target).some((part) => /pager$/i.test(part)) && !wordsOf(target).some(writes));
  const isKnown = (member: Member): boolean =>
    member.name.startsWith('__') || isField(member) || member.value.endsWith(`|${target}`);
  return isTurned && namedByVerbs(wordsOf(target)).length === 0 && filled.every(isKnown);
}

/** What a table of PrimeFaces sends when a page is turned, a column sorted or filtered. */
const ofTable = among(
  'pagination|first|rows|skipchildren|encodefeature|sorting|sortkey|sortdir|sortby|sortmeta|filtering|filter|selection|scrollstate|columnorder|resizablecolumnstate|columntogglerstate|rppdd',
);

function turnsTable(filled: readonly Member[]): boolean {
  const faces = (name: string): string =>
    filled.find((one) => one.name.replace(/^(javax|jakarta)\.faces\./, '') === name)?.value ?? '';
  const turned = filled.find(({ name, value }) => value === 'true' && isTurned.test(name));
  const source = turned?.name.replace(isTurned, '') ?? '';
  if (faces('partial.ajax') !== 'true' || source === '' || !['', source].includes(faces('source')))
    return false;
  const isKnown = ({ name, value }: Member): boolean =>
    /^(javax|jakarta)\.faces\./.test(name) ||
    (name === source && value === source) ||
    (name.startsWith(`${source}_`) && ofTable(name.slice(source.length + 1).toLowerCase())) ||
    (name.startsWith(`${source}:`) && /:(filter|globalFilter)$/.test(name)) ||
    (name === value && source.startsWith(`${name}:`));
  return filled.every(isKnown);
}

const isTurned = /_(pagination|sorting|filtering)$/;
