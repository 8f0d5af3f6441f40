import { namedByVerbs } from '../verbs.ts';
import { among } from '../words.ts';

/** Verbs that programs write together with what they do it to: `deleteorder`, `setswitchon`, `userdel`. */
const verb =
  'delete|del|remove|rem|destroy|purge|erase|cancel|disable|enable|approve|reject|revoke|reboot|restart|suspend|terminate|block|unblock|follow|unfollow|ban|unban|kick|activate|deactivate|publish|unpublish|toggle|upload|add|set|update|create|save|reset|clear|flush|empty|kill|mark|send|submit|vote|like|unlike|pause|resume|start|stop|force|edit|insert|modify|change|rename|accept|confirm|assign|refund|pay|buy|install|uninstall|spam|trash|untrash|restore|rotate|rm|mk|log|lock|unlock|pin|unpin|switch|un';
const thing =
  'users?|orders?|items?|accounts?|accts?|posts?|comments?|messages?|msgs?|photos?|images?|pictures?|files?|folders?|dirs?|records?|rows?|entry|entries|products?|cart|tocart|fromcart|towishlist|tobasket|basket|friends?|contacts?|members?|admins?|roles?|groups?|pages?|articles?|news|category|categories|boards?|reply|topics?|threads?|students?|employees?|emp|customers?|clients?|staff|invoices?|payments?|address|events?|tasks?|projects?|teams?|tickets?|notes?|books?|movies?|songs?|videos?|jobs?|devices?|hosts?|servers?|services?|sessions?|tokens?|keys?|all|data|data2|config|password|passwd|pass|pwd|status|state|value|default|read|asread|unread|cache|history|queues?|artists?|albums?|comics?|subscriptions?|subscribe|favou?rites?|bookmarks?|systems?|plugins?|modules?|themes?|proc|process|confirm|confirmed|pro|ok|action|poll|polling|switch|switchon|switchoff|switchtoggle|on|off|as|reads?|wishlist|compare|notification|notifications|device|friendship|flag|stick|box|db|table|index|name|mail|email|redirect|pod|domain|zone|rule|rules|vm|container|image|volume|snapshot|backup|alias|url|link|torrent|magnet|nzb|movie|show|series|feed';

const before = new RegExp(`^(${verb})(${thing})$`);
const behind = new RegExp(`^(${thing})(delete|del|remove|update|insert|save|reboot|restart|add|cancel)$`);
/** Verbs too long to be the beginning of another word, but for their own forms. */
const long =
  /^(delete|remove|destroy|disable|enable|approve|reboot|restart|unsubscribe|shutdown|factoryreset|terminate|deactivate|activate|suspend|hapus|supprimer|eliminar|excluir|deletar|loeschen|verwijder|aggiungi|simpan)([a-z]{3,30})$/;
const isForm = /^(r?s|d|r|rs|ing|tion|ment|able|al|d.*|r.*|ly)$/;

/** The words of a name, where two are written as one. Linear. */
export const unglued = (words: readonly string[]): string[] => words.flatMap(parted);

function parted(word: string): readonly string[] {
  const isWhole = word.length < 5 || word.length > 40 || isWord(word) || namedByVerbs([word]).length > 0;
  return (isWhole ? null : (inTwo(word) ?? behindLong(word))) ?? [word];
}

const inTwo = (word: string): readonly string[] | null =>
  (before.exec(word) ?? behind.exec(word))?.slice(1, 3) ?? null;

function behindLong(word: string): readonly string[] | null {
  const found = long.exec(word);
  return found === null || isForm.test(found[2] ?? '') ? null : found.slice(1, 3);
}

/** Words that only look so. */
const isWord = among(
  'address|likes|login|logdata|loghistory|killall|logout|logoff|logon|logservice|startpage|startbox|resetpassword|changepassword|updatehistory',
);
