/** What an operation may do that a login and reading do not need, and the words by which pages and tasks name it. */
export type SensitiveKind = {
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
