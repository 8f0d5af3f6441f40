import { among } from './words.ts';

/** Verbs at the end of an address that nobody opens to read. */
export const acts = among(
  'approve|accept|reject|decline|confirm|archive|unarchive|like|unlike|vote|upvote|downvote|follow|unfollow|subscribe|unsubscribe|block|unblock|ban|unban|kick|mute|unmute|promote|demote|impersonate|enable|disable|activate|suspend|restart|reboot|stop|start|restore|reset|lock|unlock|join|leave|toggle|merge|star|unstar|run|execute|trigger|publish|unpublish|buy|rollback|close|reopen|markread|markasread|addtocart|kill|shutdown|poweroff|poweron|trash|send|resend|dismiss|snooze|clear|flush',
);
