import type { Route } from './route.ts';
import { among } from './words.ts';

/** Verbs at the end of an address that nobody opens to read. */
const acts = among(
  'logout|signout|logoff|approve|accept|reject|decline|confirm|archive|unarchive|like|unlike|vote|upvote|downvote|follow|unfollow|subscribe|unsubscribe|block|unblock|ban|enable|disable|activate|suspend|restart|reboot|stop|start|restore|reset|lock|unlock|join|leave|toggle|merge|star|unstar|run|execute|trigger|publish|unpublish|buy|rollback|close|reopen|markread|markasread|addtocart',
);

/** Whether an address that is opened does something to one thing. */
export function changesByGet({ segments, said, queryNames, isAsset, isArticle, hasId }: Route): boolean {
  if (isAsset || isArticle) return false;
  const last = segments.at(-1)?.join('') ?? '';
  if (queryNames.some((name) => /^(add-to-cart|remove_item|logout)$/i.test(name))) return true;
  if (said.some((words) => acts(words.join('')))) return true;
  // `/events/7/start` acts on one thing; `/quick/start` is a page.
  return leaves.test(last) || (acts(last) && hasId);
}

/** The session's end is no reading, and no one thing is named. */
const leaves = /^(log|sign)(out|off)$/;
