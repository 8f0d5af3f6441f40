import { bodyOf } from '../body.ts';
import { callsIn, readsOnly } from '../calls.ts';
import type { Route } from '../route.ts';
import { changesRecords } from '../sql.ts';
import { namedByVerbs, writes } from '../verbs.ts';
import { among, wordsOf } from '../words.ts';
import { unglued } from './glued.ts';
import { commands, isStrong } from './imperative.ts';
import type { Given } from './query.ts';
import { keeps } from './given.ts';
import { changesByStatement } from './statement.ts';

/** Names under which programs are told what to do. */
const tells =
  /^(_?action\w{0,10}(\[\])?|\w{0,20}(cmd|cmnd|command)|do|act|ac|sa|go|op|opt?|operation|oper|method|_?method|mode|task|fn|(sub)?func|function|rpc|r|route|perform|exec|execute|trigger|request|apply|(sub|do|bulk|drp)_?(action|op)|handler|comando|commando|commande|befehl|operacion|operacao|accion|acao|aktion|azione|actie|akcja|islem|was|que|what|todo|param|how|_?submit|button|btn)$/i;

/** Names of what is looked for, and of how a list is narrowed: a verb there is a word. */
const looks = among(
  'q|s|k|query|search|searchterm|keyword|keywords|term|terms|text|word|words|find|filter|filters|type|types|kind|event|events|tag|tags|label|labels|category|cat|status|state|title|topic|topics|name|slug|page|tab|view|sort|order|orderby|by|lang|ref|next|return|returnurl|redirect|continue|url|reason|message|subject|section|post_status|component|field|fields|class|group|path|file|f|key|feature|reference',
);

/** What a page writes into an address so that no other page can: nobody needs it to read. */
const isTokened = ([name]: Given): boolean =>
  /^(_?wp_?nonce|sesskey|sesc|sessid|formhash|hash|my_post_key|\w{0,20}hash|securitytoken|auth|_?\w{0,20}token|form_key|requesttoken|_?csrf\w{0,20}|xsrf\w{0,20}|sectok)$/i.test(
    name,
  );

export const hasToken = ({ query }: Route): boolean => query.some(isTokened);

/** An address, with what its whole query says: asked once, since there may be thousands of pairs. */
type About = Route & {
  readonly isTokened: boolean;
  /** It names what people put things into. */
  readonly isOfKept: boolean;
  /** It says by a mode or a command what a name is for. */
  readonly hasMode: boolean;
};

const aboutOf = (route: Route): About => ({
  ...route,
  isTokened: hasToken(route),
  isOfKept: route.query.some(([name, value]) => tells.test(name) && keeps(value)),
  hasMode: route.query.some(([name]) => /^(mode|cmd|command)$/.test(name)),
});

/** Whether the query of an address tells a program to do something. */
export function isTold(route: Route): boolean {
  const about = aboutOf(route);
  return about.query.some(
    (given) =>
      isOverride(given) ||
      isSwitch(given, about) ||
      isCommand(given, about) ||
      isKey(given, about) ||
      sends(given, about),
  );
}

/** `?_method=PUT` */
const isOverride = ([name, value]: Given): boolean =>
  /^(_method|x-http-method(-override)?|http_?method)$/i.test(name) &&
  /^(post|put|patch|delete|merge)$/i.test(value);

/** `?7=OFF`, `?switchcmd=On`, `/outlet?name=a&state=on` */
const isSwitch = ([name, value]: Given, { called }: Route): boolean =>
  /^(on|off|toggle|up|down|left|right)$/i.test(value) &&
  (/^(\d{1,3}|\w{0,12}(turn|switch|power|relay|outlet|light|lamp|led|gpio|socket|heater|cmd|command|move|pan|tilt|zoom)\d{0,2})$/i.test(
    name,
  ) ||
    (/^(on|state|set|value)$/i.test(name) &&
      /^(relay|outlet|light|switch|socket|gpio|pin|power|led)s?$/.test(called.at(-1)?.join('') ?? '')));

function isCommand([name, value]: Given, route: About): boolean {
  if (value === '' || value.length > 200) return false;
  const words = unglued(wordsOf(value));
  if (!tells.test(name)) return isSaidAnyhow(name, words, route);
  const isAbout = !route.hasId && isRecord(route.called.at(-1)?.at(-1)) && words.length === 1;
  return !(isAbout && isRecorded(words[0])) && isOrder(name, value, words, route);
}

const isOrder = (name: string, value: string, words: readonly string[], about: About): boolean =>
  commands(words, true) || isKept(words, about) || isCommandLine(name, value, words) || isSet(value);

/** `?mode=queue&name=delete`: what is told in a member of any other name. */
const isSaidAnyhow = (name: string, words: readonly string[], { hasMode }: About): boolean =>
  words.length === 1 && isGrave(words[0]) && (!looks(name.toLowerCase()) || (name === 'name' && hasMode));

/** `?route=checkout/cart/add`, `?ac=friend&op=add` */
const isKept = (words: readonly string[], { isOfKept }: About): boolean =>
  /^(add|remove|update|clear)$/.test(words.at(-1) ?? '') &&
  (keeps(words.at(-2)) || (words.length === 1 && isOfKept));

/** `/audit-log?operation=update` asks which of what was done is shown. */
const isRecord = among('log|logs|audit|history|activity|activities|events|changes');
const isRecorded = among(
  'update|create|save|set|approve|reject|publish|edit|modify|login|upload|send|write|insert',
);

const isGrave = among(
  'delete|remove|destroy|purge|erase|reboot|restart|shutdown|poweroff|trash|uninstall|suspend|unsubscribe|terminate|wipe|approve|disable|deactivate|ban|kick',
);

/** `?cmd=GPIO,2,1`: a command with what it is given. */
const isCommandLine = (name: string, value: string, words: readonly string[]): boolean =>
  /(cmd|cmnd|command|exec)$/i.test(name) &&
  /^\w+[ ,]/.test(value) &&
  !asksByCommand(words[0]) &&
  !readsOnly(words);
const asksByCommand = among(
  'get|list|show|status|info|read|query|help|version|describe|ls|dir|cat|ps|whoami|uptime|jsonlist2?|find|search|select|echo|print|display|count|check|test|ping|what|how|why|the|a',
);

/** `?switchcmd=sethkrtsoll` */
const isSet = (value: string): boolean =>
  /^set[a-z]{3,30}$/i.test(value) && !/^set(s|up|s?tings?|s?tab|list|menus?)$/i.test(value);

/** `?reboot=1`, `?hide=7&sesskey=…`, `?add2Queue=bt7` */
function isKey(given: Given, route: About): boolean {
  const [name, value] = given;
  if (name.length > 40 || isNo(value) || looks(name.toLowerCase())) return false;
  const words = wordsOf(name);
  return (
    isOfThing(words, value, route.isProgram) ||
    isButton(words, route) ||
    isCommandName(given, route) ||
    (route.isTokened && words.length < 4 && !isTokened(given) && words.some(isHandled))
  );
}

const isNo = (value: string): boolean => /^(0|no|false|off|null)$/i.test(value);

/** `?ptzcmd&left&5`, `?add2Queue=7`; Nagios says by `cmd_mod` that it is done. */
const isCommandName = ([name, value]: Given, { query }: Route): boolean =>
  (query.length > 1 && value === '' && /(cmd|command)$/i.test(name)) ||
  /^(cmd_?mod|add2\w{1,20})$/i.test(name);

const isOfThing = (words: readonly string[], value: string, isProgram: boolean): boolean =>
  /^\d{1,20}$/.test(value) && words.length < 3 && (isDeleting(words) || isPutOn(words, isProgram));

/** `?reboot`, `?remove_item=7`, `?add=1&id=7` */
const isButton = (words: readonly string[], { query }: Route): boolean => {
  const [first = '', second = ''] = words;
  return words.length === 1
    ? isPressed(first) && (!isOneOf(first) || query.length > 1)
    : /^(undo|remove|delete|add)$/.test(first) && /^(item|to|2|queue|all|cart)$/.test(second);
};

/** `?delete_id=7`, `?excluir=7`, `?delid=7`, `?toggle=7` */
const isDeleting = (words: readonly string[]): boolean =>
  words.join('') === 'toggle' ||
  namedByVerbs(words.slice(0, 1)).includes('delete') ||
  /^(del|delete|remove|rem)(id|no)$/.test(words.join(''));

/** `?block_user=7`, `/users.php?block=7` */
const isPutOn = (words: readonly string[], isProgram: boolean): boolean =>
  puts(words[0]) && (isProgram || words.length === 2);
const puts = among(
  'block|unblock|ban|unban|lock|unlock|approve|reject|activate|deactivate|enable|disable|like|unlike|follow|unfollow|promote|demote|suspend|publish|unpublish|archive|restore|accept|decline|verify|kick|mute',
);

/** Of a switch or a button that a query presses. */
const isPressed = among(
  'reboot|restart|shutdown|poweroff|disable|enable|suspend|unsuspend|flush|purge|factoryreset|restorefactory|unwatch|delete|remove|erase|ban|unban|approve|add|uninstall|deactivate|activate|unsubscribe',
);
const isOneOf = among('add|remove|delete');
const isHandled = (word: string): boolean => isStrong(word) || namedByVerbs([word]).length > 0 || marks(word);
const marks = among(
  'hide|show|watch|unwatch|bookmark|lock|unlock|close|open|pin|stick|mark|reset|reconnect|connect|disconnect|switchrole|vote|like|follow|join|leave|move|archive|restore|flag|unflag|star',
);

/** Names under which a body stands in a query. */
const bodies = /^(stream\.body|body|payload|request|rpc|json|xml|envelope|r)$/i;
const statements =
  /^(\w{0,12}(sql|cypher|query|stmt|statement|gremlin)|sql\w{0,12}|q|update|exec|command|cmd)$/i;

function sends([name, value]: Given, route: Route): boolean {
  if (bodies.test(name) && /^\s*[[{<]/.test(value)) return isActingBody(value);
  if (!statements.test(name)) return false;
  return !isSought(route) && (changesRecords(value) || changesByStatement(value));
}

/** A person looks for words: `/search?q=update+users+set+password`. */
const isSought = ({ called }: Route): boolean =>
  !called.slice(-2).some((words) => asksByStatement(words.join(''))) &&
  called.some((words) => words.some(seeks));
const asksByStatement = among('query|sql|db|exec|run');
const seeks = among('search|find|results?|suche|recherche|buscar|busca|cerca|zoeken|szukaj|ara|s');

function isActingBody(text: string): boolean {
  const body = bodyOf(text, text.trimStart().startsWith('<') ? 'text/xml' : 'application/json');
  const calls = callsIn(body, []);
  if (calls.protocol === 'rpc') return calls.does !== 'read';
  return body.members.some((member) => {
    const words = wordsOf(member.name);
    return namedByVerbs(words).includes('delete') || (member.depth === 0 && words.some(writes));
  });
}
