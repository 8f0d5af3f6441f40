/** What an operation may do that a login and reading do not need, and the words by which pages and tasks name it. */
type SensitiveKind = {
  /** When the declared task does not name it. Reading much is still reading. */
  readonly unnamed: 'ask' | 'deny';
  /** In accessible names of buttons, links and fields: English and Chinese. */
  readonly names: RegExp;
  /** In paths of addresses. */
  readonly paths: RegExp;
  /** In a free-text task. */
  readonly task: RegExp;
};

export const lexicon = {
  credential_change: {
    unnamed: 'deny',
    names:
      /\b(change|reset|update|set|new|confirm|create)\b.{0,12}\b(password|passphrase|pin|e-?mail|recovery|username)\b|修改密码|更改密码|重置密码|新密码|更换邮箱/i,
    paths:
      /(change|reset|update|new|edit)[-_/]?(password|email|pin)|(password|email)\/(change|reset|edit|new)/i,
    task: /\b(change|reset|update|rotate|set)\b.{0,30}\b(password|passphrase|pin|e-?mail|username)\b|密码/i,
  },
  mfa_change: {
    unnamed: 'deny',
    names:
      /\b(enable|disable|turn (on|off)|remove|add|set ?up|reset|manage)\b.{0,20}\b(2fa|mfa|otp|two[- ]factor|two[- ]step|multi[- ]factor|authenticator|passkey|security key|backup codes?|recovery codes?)\b|两步验证|双重验证|双因素/i,
    paths:
      /\/(2fa|mfa|otp|two[-_]factor|passkeys?|webauthn|backup[-_]codes?)\/(enable|disable|new|add|remove|setup|reset)|settings\/(2fa|mfa|two[-_]factor)/i,
    task: /\b(2fa|mfa|two[- ]factor|two[- ]step|authenticator|passkey|security key|backup codes?)\b|两步验证|双重验证/i,
  },
  api_key_creation: {
    unnamed: 'deny',
    names:
      /\b(create|generate|new|add|issue|roll|rotate|regenerate|reveal)\b.{0,20}\b(api[- ]?keys?|(access |personal |api )?tokens?|ssh keys?|deploy keys?|secrets?|client secret|webhooks?|service accounts?)\b|创建密钥|生成令牌|新建令牌|API ?密钥/i,
    paths:
      /\/(api[-_]?keys?|tokens|access[-_]tokens|ssh[-_]?keys?|webhooks|service[-_]accounts)\/(new|create|add|generate|regenerate)/i,
    task: /\b(create|generate|make|issue|rotate|add|get)\b.{0,30}\b(api[- ]?keys?|tokens?|ssh keys?|webhooks?|secrets?)\b|密钥|令牌/i,
  },
  permission_grant: {
    unnamed: 'deny',
    names:
      /\b(grant|authori[sz]e|allow access|invite|add (a )?(member|user|collaborator|admin|owner)s?|make (admin|owner|public)|transfer ownership|share( with)?|give access|approve access|accept invitation)\b|授权|邀请|添加成员|共享|转让/i,
    paths:
      /\/(invite|invitations|members|collaborators|permissions|grants|share|oauth\/authorize|transfer[-_]ownership)(\/(new|add|create))?$/i,
    task: /\b(grant|authori[sz]e|invite|share|permission|give .{0,20}access|add .{0,20}(member|user|collaborator|admin))\b|授权|邀请|共享/i,
  },
  payment: {
    unnamed: 'deny',
    names:
      /\b(pay( now)?|buy( now)?|place (the |your |my )?order|order now|checkout|check out|purchase|subscribe|upgrade( plan)?|send money|transfer( funds| money)?|withdraw|donate|top ?up|confirm (payment|order|transfer|purchase)|add (a )?(card|payment method))\b|支付|付款|购买|下单|结账|转账|提现|订阅|充值|确认订单/i,
    paths:
      /\/(checkout|pay|payments?|purchase|buy|orders?\/(new|create|confirm)|transfers?|withdraw|billing\/(upgrade|subscribe|methods)|subscribe|donate)(\/|$)/i,
    task: /\b(pay|buy|purchase|order (a|an|the|some|\d)|place .{0,20}order|check ?out|subscribe|upgrade|transfer|send .{0,20}(money|funds)|withdraw|donate|top ?up)\b|支付|付款|购买|下单|转账|提现|订阅/i,
  },
  bulk_export: {
    unnamed: 'ask',
    names:
      /\b(export( all| data)?|download( all| my| your)? (data|archive|report|csv|records|contacts)|download all|backup|takeout|request (a copy|archive|my data))\b|导出|下载全部|备份/i,
    paths:
      /\/(export|exports|takeout|download[-_]all|data[-_]export|backup)(\/|\.|$)|\.(csv|zip|xlsx|sql|tar|gz)$/i,
    task: /\b(export|download|back ?up|archive|csv)\b|导出|下载|备份/i,
  },
  delete: {
    unnamed: 'deny',
    names:
      /\b(delete|remove (account|user|member|project|repository|file|all|permanently)|destroy|erase|wipe|purge|deactivate|close (my |your |the )?account|cancel (my |your |the )?(subscription|account|order|plan)|revoke|empty trash|terminate)\b|删除|注销|清空|移除|取消订阅|停用/i,
    paths: /\/(delete|destroy|remove|deactivate|close[-_]account|purge|terminate)(\/|$)/i,
    task: /\b(delete|remove|erase|destroy|deactivate|close .{0,20}account|cancel|revoke|clean ?up)\b|删除|注销|移除|取消/i,
  },
  public_post: {
    unnamed: 'deny',
    names:
      /\b(post|publish|tweet|reply|comment|send( message| email| mail)?|share publicly|submit (review|comment|post)|leave (a )?(review|comment)|announce|broadcast|make public)\b|发布|发表|评论|回复|发送|公开/i,
    paths:
      /\/(posts?|comments?|reviews?|messages?|tweets?)\/(new|create|send)|\/(compose|publish|reply)(\/|$)/i,
    task: /\b(post|publish|tweet|reply|comment|send|write (a |an )?(message|review|mail|email)|announce|message)\b|发布|发表|评论|回复|发送/i,
  },
  file_upload: {
    unnamed: 'deny',
    names:
      /\b(upload|attach( a)? (file|document|photo)|choose (a )?file|browse files|import (a )?file|add attachment)\b|上传|附件|选择文件/i,
    paths: /\/(upload|uploads|attachments|import)(\/new)?\/?$/i,
    task: /\b(upload|attach|import)\b|上传|附件/i,
  },
  mass_reading: {
    unnamed: 'ask',
    names: /(?!)/,
    paths: /(?!)/,
    task: /\b(everything|whole page|entire|full (page|text|list|html)|all (the )?(rows|pages|records|orders|data|items|text|links)|scrape|crawl|export|dump|source)\b|全部|所有|整个|抓取/i,
  },
} as const satisfies Readonly<Record<string, SensitiveKind>>;

export type Sensitive = keyof typeof lexicon;
export const sensitiveKinds = Object.keys(lexicon) as [Sensitive, ...Sensitive[]];

/** What a task forbids it does not ask for: `read the list, do not delete anything`. */
const forbidden = /\b(do not|don't|never|without|must not|no)\b[^.,;!]*|(不要|请勿|禁止)[^。，；！]*/gi;

const kindsWhere = (holds: (kind: SensitiveKind) => boolean): Sensitive[] =>
  sensitiveKinds.filter((name) => holds(lexicon[name]));

/** Which of them a free-text task names. Naming one lets a person be asked; it never allows by itself. */
export const namedInTask = (task: string): Sensitive[] => {
  const asked = task.replaceAll(forbidden, ' ');
  return kindsWhere((kind) => kind.task.test(asked));
};

export const namedByText = (name: string): Sensitive[] => kindsWhere((kind) => kind.names.test(name));
export const namedByPath = (path: string): Sensitive[] => kindsWhere((kind) => kind.paths.test(path));
