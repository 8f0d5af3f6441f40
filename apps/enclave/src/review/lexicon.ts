import { namedAbroad } from './abroad.ts';

/** What an operation may do that a login and reading do not need, and the words by which pages and tasks name it. */
type SensitiveKind = {
  /** When the declared task does not name it. Reading much is still reading. */
  readonly unnamed: 'ask' | 'deny';
  /** In accessible names of buttons, links and fields: English and Chinese. */
  readonly names: RegExp;
  /** In a free-text task. */
  readonly task: RegExp;
};

export const lexicon = {
  credential_change: {
    unnamed: 'deny',
    names:
      /\b(change|reset|update|set|new|confirm|create)\b.{0,12}\b(password|passphrase|pin|e-?mail|recovery|username)\b|修改密码|更改密码|重置密码|新密码|更换邮箱/i,
    task: /\b(change|reset|update|rotate|set)\b.{0,30}\b(password|passphrase|pin|e-?mail|username)\b|密码/i,
  },
  mfa_change: {
    unnamed: 'deny',
    names:
      /\b(enable|disable|turn (on|off)|remove|add|set ?up|reset|manage)\b.{0,20}\b(2fa|mfa|otp|two[- ]factor|two[- ]step|multi[- ]factor|authenticator|passkey|security key|backup codes?|recovery codes?)\b|两步验证|双重验证|双因素/i,
    task: /\b(2fa|mfa|two[- ]factor|two[- ]step|authenticator|passkey|security key|backup codes?)\b|两步验证|双重验证/i,
  },
  api_key_creation: {
    unnamed: 'deny',
    names:
      /\b(create|generate|new|add|issue|roll|rotate|regenerate|reveal)\b.{0,20}\b(api[- ]?keys?|(access |personal |api )?tokens?|ssh keys?|deploy keys?|secrets?|client secret|webhooks?|service accounts?)\b|创建密钥|生成令牌|新建令牌|API ?密钥/i,
    task: /\b(create|generate|make|issue|rotate|add|get)\b.{0,30}\b(api[- ]?keys?|tokens?|ssh keys?|webhooks?|secrets?)\b|密钥|令牌/i,
  },
  permission_grant: {
    unnamed: 'deny',
    names:
      /\b(grant|authori[sz]e|allow access|invite|add (a )?(member|user|collaborator|admin|owner)s?|make (admin|owner|public)|transfer ownership|share( with)?|give access|approve access|accept invitation)\b|授权|邀请|添加成员|共享|转让/i,
    task: /\b(grant|authori[sz]e|invite|share|permission|give .{0,20}access|add .{0,20}(member|user|collaborator|admin))\b|授权|邀请|共享/i,
  },
  payment: {
    unnamed: 'deny',
    names:
      /\b(pay( now)?|buy( now)?|place (the |your |my )?order|order now|checkout|check out|purchase|subscribe|upgrade( plan)?|send money|transfer( funds| money)?|withdraw|donate|top ?up|confirm (payment|order|transfer|purchase)|add (a )?(card|payment method))\b|支付|付款|购买|下单|结账|转账|提现|订阅|充值|确认订单/i,
    task: /\b(pay|buy|purchase|order (a|an|the|some|\d)|place .{0,20}order|check ?out|subscribe|upgrade|transfer|send .{0,20}(money|funds)|withdraw|donate|top ?up)\b|支付|付款|购买|下单|转账|提现|订阅/i,
  },
  bulk_export: {
    unnamed: 'ask',
    names:
      /\b(export( all| data)?|download( all| my| your)? (data|archive|report|csv|records|contacts)|download all|backup|takeout|request (a copy|archive|my data))\b|导出|下载全部|备份/i,
    task: /\b(export|download|back ?up|archive|csv)\b|导出|下载|备份/i,
  },
  delete: {
    unnamed: 'deny',
    names:
      /\b(delete|remove (account|user|member|project|repository|file|all|permanently)|destroy|erase|wipe|purge|deactivate|close (my |your |the )?account|cancel (my |your |the )?(subscription|account|order|plan)|revoke|empty trash|terminate)\b|删除|注销|清空|移除|取消订阅|停用/i,
    task: /\b(delete|remove|erase|destroy|deactivate|close .{0,20}account|cancel|revoke|clean ?up)\b|删除|注销|移除|取消/i,
  },
  public_post: {
    unnamed: 'deny',
    names:
      /\b(post|publish|tweet|reply|comment|send( message| email| mail)?|share publicly|submit (review|comment|post)|leave (a )?(review|comment)|announce|broadcast|make public)\b|发布|发表|评论|回复|发送|公开/i,
    task: /\b(post|publish|tweet|reply|comment|send|write (a |an )?(message|review|mail|email)|announce|message)\b|发布|发表|评论|回复|发送/i,
  },
  file_upload: {
    unnamed: 'deny',
    names:
      /\b(upload|attach( a)? (file|document|photo)|choose (a )?file|browse files|import (a )?file|add attachment)\b|上传|附件|选择文件/i,
    task: /\b(upload|attach|import)\b|上传|附件/i,
  },
  mass_reading: {
    unnamed: 'ask',
    names: /(?!)/,
    task: /\b(everything|whole page|entire|full (page|text|list|html)|all (the )?(rows|pages|records|orders|data|items|text|links)|scrape|crawl|export|dump|source)\b|全部|所有|整个|抓取/i,
  },
} as const satisfies Readonly<Record<string, SensitiveKind>>;

export type Sensitive = keyof typeof lexicon;
export const sensitiveKinds = Object.keys(lexicon) as [Sensitive, ...Sensitive[]];

/** For a sentence to an agent or a person. */
export const described: Readonly<Record<Sensitive, string>> = {
  credential_change: 'a change of a password or address',
  mfa_change: 'a change of the second factor',
  api_key_creation: 'making a key or token',
  permission_grant: 'giving someone access',
  payment: 'a payment or order',
  bulk_export: 'an export of data',
  delete: 'deleting or cancelling something',
  public_post: 'writing to others',
  file_upload: 'an upload of a file',
  mass_reading: 'reading a whole page or a great many elements',
};

/** What a task forbids it does not ask for: `read the list, do not delete anything`. */
const forbidden =
  /\b(do not|don['’]t|won['’]t|never|without|must not|no)\b[^.,;!]*|(不要|请勿|禁止)[^。，；！]*/gi;

const kindsWhere = (holds: (kind: SensitiveKind) => boolean): Sensitive[] =>
  sensitiveKinds.filter((name) => holds(lexicon[name]));

export const withoutForbidden = (text: string): string => text.replaceAll(forbidden, ' ');

/** Which of them a free-text task names. Naming one lets a person be asked; it never allows by itself. */
export const namedInTask = (task: string): Sensitive[] => {
  const asked = withoutForbidden(task);
  return kindsWhere((kind) => kind.task.test(asked));
};

/** Which of them a name of a button or field says. What is longer than a name is a text that mentions things. */
export const namedByText = (name: string): Sensitive[] =>
  name.length > maxName ? [] : namedBySentence(name);
const maxName = 120;

/** The same of a sentence that is known to say what is done, however long it is. */
export const namedBySentence = (text: string): Sensitive[] => [
  ...kindsWhere((kind) => kind.names.test(text)),
  ...namedAbroad(dotted(text)),
];

/** Without regard to case only Turkish knows that `İ` is `i`: `SİL`, `GİRİŞ`. */
export const dotted = (text: string): string => text.replaceAll('İ', 'i');

/** What a name declines: `No, do not delete`. */
export const withoutDeclined = (name: string): string =>
  name.replaceAll(/\b(do not|don['’]t|never)\s+\w+/gi, ' ');

const deletes =
  /^(move|send) to (the )?(trash|bin)\b|^(delete|remove|erase|destroy|purge|wipe|void|revoke|deactivate|terminate|löschen|entfernen|stornieren|eliminar|borrar|supprimer|effacer|excluir|apagar|elimina|rimuovi|verwijder(en)?|usuń|удалить|видалити)(?!\p{L})|^(删除|刪除|移除|삭제(?!된|됨)|削除(?!済|され))/iu;

/** Names of links that pay, and do not lead to where one may: not `Buy`, `Checkout` or `Payments`. */
const pays =
  /^(buy|order|purchase) (it |this )?now\b|^pay( now\b|$| (the |this |your |my )?(invoice|bill|order)\b| ?[€$£¥\d])|^place (the |your |my )?order\b|^(confirm|authori[sz]e) /i;

const yes = /^(yes|ja|oui|sí|si|sim|да|evet|tak|はい|是)(?!\p{L})[\s,.!:–-]*/iu;
const adverbs = /^((permanently|please|now|definitely|confirm and|endgültig|wirklich) )+/i;
/** What is meant, where a long name does something to it: a title of an article rarely says so. */
const pointed = /\b(this|these|those|my|your|selected)\b/i;
const ends = /^(close|cancel|end|leave|quit)\b.*\b(account|subscription|order|plan|membership|booking)\b/i;

/** What a link that names one thing does to it, by its name: `Delete`, `Remove photo`, `Buy now`; not `Cancel` or `Remove filter`. */
export function doneByName(whole: string): Sensitive[] {
  const said = withoutDeclined(whole).trim();
  const name = said.replace(yes, '').replace(adverbs, '');
  const isOther = isTitle(name) || /\b(filters?|facets?|sort|sorting|selection|search|ads|key)\b/i.test(name);
  if (isOther) return [];
  if (name.split(/\s+/).length > 4) return name !== said || pointed.test(name) ? doneByLongName(name) : [];
  const abroad = namedAbroad(name);
  const named = namedByText(name).filter(
    (kind) => kind === 'delete' || (kind === 'payment' && (pays.test(name) || abroad.includes(kind))),
  );
  return deletes.test(name) ? ['delete', ...named] : named;
}

const doneByLongName = (name: string): Sensitive[] => [
  ...(deletes.test(name) || ends.test(name) ? (['delete'] as const) : []),
  ...(pays.test(name) ? (['payment'] as const) : []),
];

/** Two nouns, of which the first is a verb elsewhere, and what is to come: `Purchase orders`, `To pay`. */
const noun =
  /^(to \w+|pay ?(slips?|stubs?|checks?|days?|dates?|periods?|rates?|grades?)|purchase (orders?|dates?)|transfer (limits?|fees?)|share (prices?|classes?)|post (office|drafts?|types?))\s*(\(?\d+\)?)?$/i;

/** Names of tabs, headings and menus: `Transfer history`, `Payments (3)`, `How to delete an account`. */
export const isTitle = (name: string): boolean =>
  noun.test(name.trim()) ||
  /\b(history|histories|settings|options|log|logs|list|details?|status|policy|policies|guide|help|faqs?|info|information|report|reports|overview|statistics|stats|summary|price|prices|preferences|methods|templates?|count|activity|dashboard|center|centre|schedule|queue|requests?|types?)\s*(\(?\d+\)?)?$|^(how|what|why|when|about|learn|view|show|see|hide|filter|sort|search|find|open|read|expand|collapse|browse|recent|all|my|last|next|previous)\b/i.test(
    name.trim(),
  );
