import { isHelp, type Route } from '../route.ts';
import { among } from '../words.ts';
import { commands, isStrong } from './imperative.ts';
import { isGiven, isNounToo, keeps } from './given.ts';
import { hasToken } from './told.ts';

/** Words that stop a machine wherever they stand at the end of a name. */
const stops = among('reboot|shutdown|poweroff|flushall|flushdb|factoryreset|factorydefault|hardreset');
const calmly = /^(app|safe|soft|hard|force|graceful|system|server|service|device|sys)$/;
/** What a whole is done to. */
const wholes = among(
  'token|tokens|key|keys|apikey|apikeys|secret|secrets|cache|caches|cart|basket|history|queue|session|sessions|log|logs|db|database|2fa|mfa|tfa|otp|notification|notifications|messages|trash|bin|recyclebin|cookies|wishlist|compare|webhook|alerts|index|artisan',
);
const wholly = among(
  'rotate|regenerate|clear|flush|empty|purge|off|disable|truncate|drop|migrate|seed|revoke|rollover|redeploy|wipe|reindex|rebuild',
);
const marks = among(
  'mark|clear|revoke|pause|resume|stop|start|restart|kill|delete|remove|approve|reject|accept|dismiss|close|flush|logout|signout|disable|enable|read|empty|reset|regenerate|rotate|purge|unsubscribe|cancel',
);

/** Whether the path of an address is an order: `/token/rotate`, `/notifications/mark-all-read`, `/admin/toggleUser/7`. */
export function isCommanded(route: Route): boolean {
  const [last = [], before = []] = [route.called.at(-1), route.called.at(-2)];
  return (
    isOrder(before, last) ||
    stopsMachine(route, before, last) ||
    isRating(route, last) ||
    isPutOn(route, last) ||
    isTokenedVerb(route) ||
    isJolokia(route.called.map((words) => words.join('')))
  );
}

/** Whatever it is put on. */
const isOrder = (before: readonly string[], last: readonly string[]): boolean =>
  last.join('') === 'execute' || isOfWhole(before, last) || isOfAll(last);

/** Jolokia's protocol, where the path is the command. */
const isJolokia = ([program, command]: readonly string[]): boolean =>
  program === 'jolokia' && /^(exec|write)$/.test(command ?? '');

/** `/rate?key=7&rating=10` */
const isRating = ({ queryNames }: Route, last: readonly string[]): boolean =>
  /^(rate|vote)$/.test(last.join('')) &&
  queryNames.some((name) => /^(rating|score|stars|value|vote)$/i.test(name));

const stopsMachine = ({ isProgram }: Route, before: readonly string[], last: readonly string[]): boolean =>
  last.length < 5 &&
  !last.some((word) => /^(how|to|the|why)$/.test(word)) &&
  (stops(last.at(-1)) ||
    stops(last.slice(-2).join('')) ||
    restarts([...before.slice(-1), ...last], isProgram) ||
    last.join('') === 'quietdown');

const restarts = (last: readonly string[], isProgram: boolean): boolean =>
  (last.at(-1) === 'restart' && (isProgram || calmly.test(last.at(-2) ?? ''))) ||
  (last.includes('tool') && last.at(-1) === 'set');

/** `/cache/clear`, `/clear-cache`, `/rotate-secret` */
const isOfWhole = (before: readonly string[], last: readonly string[]): boolean =>
  (last.length === 1 && wholly(last[0]) && wholes(before.at(-1))) ||
  (last.length < 4 && wholly(last[0]) && last.length > 1 && wholes(last.at(-1)) && last[0] !== 'off');

/** `/sessions/revoke-all`, `/markAllAsRead`, `/command/pauseAll` */
const isOfAll = (last: readonly string[]): boolean =>
  last.length > 1 && last.length < 5 && marks(last[0]) && (last[1] === 'all' || last.at(-1) === 'all');

/** A verb, and what one thing it is put on. */
function isPutOn(route: Route, last: readonly string[]): boolean {
  if (!(route.hasId || isGiven(route)) || (last.length > 2 && isHelp(route))) return false;
  if (last.length === 1 && isNounToo(last[0])) return false;
  return commands(last, false) || isJoined(last, route);
}

/** `/friends/add/7`, `/wishlist/index/add` */
const isJoined = (last: readonly string[], { called }: Route): boolean =>
  last.length === 1 &&
  /^(add|remove|clear|change|update|set|save)$/.test(last[0] ?? '') &&
  called.slice(-3, -1).some((words) => keeps(words.at(-1)));
const isTokenedVerb = (route: Route): boolean =>
  hasToken(route) &&
  route.called
    .slice(-3)
    .some(
      (words) =>
        words.length < 3 &&
        (isStrong(words.join('')) ||
          /^(un)?(flag|hide|fave|vote|like|follow|pin|loginas|cookie)$/.test(words.join('')) ||
          commands(words, false)),
    );
