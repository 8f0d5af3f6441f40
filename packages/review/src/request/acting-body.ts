import type { Body, Member } from './body.ts';
import { isWritingCommand, changesByStatement } from './opened/statement.ts';
import { isStrong } from './opened/imperative.ts';
import type { Seen } from './seen.ts';
import { changesRecords } from './sql.ts';
import { namedByVerbs, writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** MongoDB: operators of an update, stages that write, and those that run a program. */
const operators =
  /^\$(set|unset|inc|mul|rename|min|max|push|pull|pullAll|addToSet|pop|bit|currentDate|setOnInsert|out|merge|where|function|accumulator|eval)$/;
/** Of these, what a question calculates with as well, by a value of its own. */
const calculates = /^\$(min|max|push|addToSet)$/;

/** Whether a body changes something, whatever its address is called: by a member, or by a statement of a language of questions. */
export function actsByBody({ sent, body }: Pick<Seen, 'sent' | 'body'>): boolean {
  if (body.shape === 'text' && !body.hasFile) return isOrder(sent.body);
  return body.members.some((member, at) => isActing(member, body, at)) || isCommand(body.json);
}

const isOrder = (text: string): boolean =>
  changesRecords(text) || changesByStatement(text) || isVerb(wordsOf(text.slice(0, 100))[0]);

const isVerb = (word: string | undefined): boolean =>
  word !== undefined && (writes(word) || namedByVerbs([word]).length > 0) && !asks(word);
/** With these a question begins. */
const asks = among(
  'copy|link|report|process|label|tag|flag|issue|release|like|open|watch|star|import|set|schedule|book|scale|register',
);

function isActing(member: Member, { shape, json }: Body, at: number): boolean {
  const { name, value, depth } = member;
  if (operators.test(name) && (!calculates.test(name) || depth === 0)) return true;
  if (changesByStatement(value)) return true;
  if (depth > 0 && !isRow(json, at)) return false;
  return isTold(wordsOf(name), value, shape === 'json');
}

const isRow = (json: unknown, at: number): boolean => Array.isArray(json) && at === 0;

/** Of time and number: `last_update`, `update_count`. */
const measured = among(
  'time|date|at|by|last|since|before|after|from|count|counts|type|types|status|state|min|max|gt|gte|lt|lte|filter|only|id|ids|not|no|is|has|can',
);
const isYes = (value: string): boolean => /^(1|true|yes|on|y)$/i.test(value);

/** What a member at the top says is done to what is found. */
function isTold(words: readonly string[], value: string, isJson: boolean): boolean {
  if (words.length === 0 || words.length > 4 || isNo(value)) return false;
  const joined = words.join('');
  const isHolder = isJson && value === '';
  if (joined === 'then') return isHolder || isVerb(wordsOf(value)[0]);
  if (joined === 'index') return isHolder;
  if (tells(joined)) return isJson || value !== '';
  return (isHolder || isYes(value)) && isVerbal(words, isHolder);
}

const isNo = (value: string): boolean => /^(0|false|no|off|null)$/i.test(value);

const isVerbal = (words: readonly string[], isHolder: boolean): boolean => {
  if (words.length > 1 && words.some(measured)) return false;
  const [first, last] = [words[0], words.at(-1)];
  return changes(first) || isStrong(first) || (isHolder ? changes(last) : isStrong(last));
};

const tells = among(
  'notify|notifyme|webhook|webhookurl|callbackurl|sendto|emailto|emailresultsto|mailto|recipients|saveas|onmatch|ondone|onresult|thendo|upsert|writes|mutations|updates|changes|operations|commands|script|docasupsert|scriptedupsert|setvalues|newvalues|patch',
);
const changes = among(
  'update|delete|remove|insert|create|upsert|patch|approve|reject|assign|publish|send|email|subscribe|unsubscribe|block|unblock|ban|archive|restore|deactivate|activate|disable|enable|execute|grant|revoke|invite|transfer|pay|charge|refund|cancel|close|reopen|lock|unlock|merge|move|rename|replace|set|add|apply|trigger|notify|actions|mark|save|modify|edit|write|then|post|commit|optimize',
);

/** A command of Redis, by the array in which it is sent. */
function isCommand(json: unknown): boolean {
  const command = Array.isArray(json) ? json : commandIn(json);
  const [first] = Array.isArray(command) ? command : [];
  return typeof first === 'string' && isWritingCommand(first);
}

const commandIn = (json: unknown): unknown =>
  Object.entries(json ?? {}).find(([name]) => /^(commands?|cmd|args)$/i.test(name))?.[1];
