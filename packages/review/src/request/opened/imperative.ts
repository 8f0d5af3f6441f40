import { acts } from '../acts.ts';
import { namedByVerbs, reads } from '../verbs.ts';
import { among } from '../words.ts';
import { actsAbroad } from './abroad.ts';
import { hasForm } from './given.ts';

/** Verbs that are no part of a title, a state or a page's name. */
const strong = among(
  'refuse|deny|unregister|disapprove|notapprove|delete|del|remove|rm|rmdir|destroy|erase|purge|wipe|toggle|disable|enable|approve|unapprove|rename|revoke|assign|unassign|activate|deactivate|reject|suspend|unsuspend|terminate|reboot|shutdown|poweroff|poweron|factorydefault|factoryreset|truncate|unload|undeploy|redeploy|deploy|uninstall|regenerate|unsubscribe|unfollow|unlike|unban|ban|unblock|unflag|unwatch|unlock|untrash|trash|unpublish|publish|impersonate|loginas|demote|promote|subscribe|upvote|downvote|kick|mute|unmute|flush|resend|dismiss|rollback|markpatrolled|scrobble|fave|unfave|addtocart|migrate|reload|fetchindex|resume|unpause|cancel|install|upgrade|decline|accept|confirm|logoutall|recommend|bump|bumpthread|stick|unstick|sticky|redeem|claim|spam|unspam|moveto|quarantine|passwd|detach|attach|clone|reopen|mkdir|chmod|setconfig|execute|exec',
);
/** Verbs that are nouns, adjectives and titles too. */
const weak = among(
  'kill|set|reset|add|save|create|update|insert|send|mark|make|change|submit|clear|empty|start|stop|pause|move|copy|put|upload|import|switch|restart|force|full|pl|lock|close|open|block|follow|like|vote|watch|restore|archive|join|leave|run|trigger|notify|pin|unpin|hide|unhide|show|apply|rotate|reorder|sync|release|log|build|queue|turn|power|mass|store|write|undo|up|down|flag|star|rate|mod|reg|register',
);
/** What those verbs are written with, by programs and by nobody else. */
const object = among(
  'all|user|users|account|acct|accounts|role|status|state|admin|owner|default|primary|public|private|config|configuration|settings|option|options|param|params|value|password|passwd|pass|pwd|email|data|cache|history|queue|logs?|member|friend|friends|contact|favou?rite|favou?rites|bookmark|subscription|item|order|post|comment|message|msg|topic|thread|product|cart|wishlist|basket|compare|device|service|server|switch|switchon|switchoff|switchtoggle|cron|hosts?|key|token|secret|read|unread|asread|as|system|artist|comic|album|forwarder|redirect|file|folder|dir|record|row|live|offline|online|import|index|delete|remove|add|update|save|now|job|proc|process|session|by|to|from|vm|notification|notifications|process|domain|zone|leave|stop|start|on|off|url|torrent|magnet|link|limit|plan|plugin|theme|module|rule|flag|poll|core|library|mode|plan|price|stock|permissions?|rights|roles|limits|proc|qty|quantity|mute|volume|patrolled',
);
/** What a page of such an act is called that only shows. */
const shown = among(
  'policy|policies|info|history|list|guide|guides|faq|help|terms|status|log|logs|options|settings|page|form|forms|rate|rates|fees|price|prices|stats|report|reports|summary|overview|how|why|protection|request|requests|anytime|button|buttons|explained|tips|tutorial|reasons|online|count|view|preview|confirmation',
);
/** What frameworks write before a verb. */
const framework =
  /^(do|ajax|action|admin|wp|web|api|bulk|mass|process|handle|perform|exec|ajx|sys|tool|batch|go|on|sb|pl|app)$/;

/** A title: `/cancel-anytime`, `/remove-rust-from-steel`. */
export const isSentence = (words: readonly string[]): boolean =>
  words.some((word) =>
    /^(the|your|my|an|its|our|you|we|without|faster|easily|anytime|how|why|what|when)$/.test(word),
  ) ||
  (words.length > 3 &&
    words.some((word) => /^(from|with|in|for|and|or|of|on)$/.test(word)) &&
    !isPlace(words.at(-1)));
const isPlace = among('cart|basket|bag|list|wishlist|favou?rites|queue|group|team|compare|watchlist');

/** Of these a page is made; `show.delete` deletes a show. */
const shows = among('list|show|view|is|has|can|status|jsonlist\\d?|read');

/** `isTold`: by a member of the query that says what to do, where `weak` words are no titles. */
export function commands(all: readonly string[], isTold: boolean): boolean {
  if (all.length === 0 || all.length > 5 || isSentence(all)) return false;
  const words = withoutFramework(all);
  const [first = '', ...more] = words;
  if (actsAbroad(words.join('')) || actsAbroad(first)) return true;
  if (reads(first) || shows(first)) return isTold && more.length > 0 && strong(words.at(-1));
  return more.length === 0 ? isWhole(first, isTold) : isPutOn(first, more, isTold);
}

const withoutFramework = (all: readonly string[]): readonly string[] => {
  const at = all.findIndex((word) => !framework.test(word));
  return at < 0 ? all : all.slice(at);
};

const deletes = (word: string): boolean => namedByVerbs([word]).includes('delete');

const isWhole = (word: string, isTold: boolean): boolean =>
  strong(word) || (isTold && (deletes(word) || acts(word) || toldAlone(word)));

function isPutOn(first: string, more: readonly string[], isTold: boolean): boolean {
  const last = more.at(-1);
  if (first === 'toggle') return true;
  if (strong(first) || deletes(first)) return !more.some(shown);
  if (!isTold && begins.test(first) && hasForm(last)) return false;
  if (weak(first)) return isPutInto(more);
  return strong(last) && (isTold || more.length < 3) && !shown(last);
}

/** `setConfig`, `update_settings`, `add_to_compare_list` */
const isPutInto = (more: readonly string[]): boolean =>
  more[0] === 'to' || (more.some(object) && (!shown(more.at(-1)) || isSettable(more.at(-1))));

/** With these a form is opened. */
const begins = /^(create|add|make|new|register)$/;

/** What a program is told by one word, and no page is called. */
const toldAlone = among(
  'notify|pause|unpause|play|skip|save|store|insert|modify|mod|update|set|write|do_?update|empty|sync|refreshall|rescan|reindex|optimize|commit|backup',
);

/** `setConfig`, `update_settings`, `toggle_status`. */
const isSettable = among('settings|options|status');

export { strong as isStrong };
