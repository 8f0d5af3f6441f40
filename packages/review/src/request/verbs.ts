import type { Sensitive } from '../lexicon.ts';
import { among, holding } from './words.ts';

type Named = Exclude<Sensitive, 'mass_reading'>;

const changes = holding(
  'change|reset|update|set|edit|new|rotate|modify|replace|save|patch|confirm|verify|aendern|ändern|cambiar|modifier|alterar|zmien|изменить',
);
const makes = holding(
  'create|generate|new|add|issue|rotate|roll|regenerate|reveal|make|mint|register|insert|put|refresh|save',
);
const switches = holding(
  'enable|disable|setup|set|add|remove|register|enroll|enrol|unenroll|reset|regenerate|activate|deactivate|turn|delete|confirm|generate|create|off|on|toggle',
);
const gives = holding(
  'add|create|make|set|assign|update|change|grant|give|put|edit|save|accept|approve|transfer|new|insert|attach|modify',
);

const secrets = holding(
  'password|passwd|passphrase|pwd|pin|email|username|phone|recovery|passwort|mdp|contraseña|credentials',
);
const factors = holding(
  '2fa|mfa|tfa|otp|totp|passkey|passkeys|webauthn|authenticator|authenticators|factor|factors|u2f|fido2?|backup|recovery',
);
const codes = holding(
  '2fa|mfa|tfa|otp|totp|passkey|passkeys|webauthn|authenticator|authenticators|factor|u2f|fido2?|code|codes|key|keys',
);
const keys = holding(
  'key|keys|apikey|apikeys|token|tokens|secret|secrets|webhook|webhooks|hook|hooks|pat|sshkey',
);
const serviceAccount = holding('service|serviceaccount');
const rights = holding(
  'member|members|collaborator|collaborators|permission|permissions|role|roles|acl|owner|ownership|admin|admins|access|invitation|invitations|invite|grant|grants|policy|policies|binding|bindings|iam|visibility|membership|memberships|group|share|shares|guest|delegate|delegation',
);

const all = holding('all|data|archive|report|csv|records|contacts|everything|database|backup');
const money = holding('money|funds|payment|payments|cash');
const placesOrder = holding('place|create|confirm|submit|new|add|complete|finish|make|execute|sign|approve');
const orders = holding(
  'order|orders|payment|payments|purchase|charge|subscription|transfer|payout|card|cards|beneficiary|payee|invoice|refund|trade|bid',
);
const posts = holding(
  'post|comment|message|reply|review|tweet|status|mail|note|thread|topic|answer|chat|email|story|announcement|discussion|mention|dm',
);
const creates = holding('post|create|add|new|submit|write|insert|save|make|leave|put|start|compose');
const account = holding('account|subscription|plan|membership|profile');

/** Words that do one of these things by themselves, whatever else stands beside them. */
const alone: readonly (readonly [Named, (words: readonly string[]) => boolean])[] = [
  [
    'delete',
    holding(
      'delete|del|remove|rm|destroy|erase|purge|wipe|deactivate|terminate|cancel|revoke|unlink|drop|trash|discard|uninstall|expunge|obliterate|decommission|undeploy|deregister|deprovision|truncate|shred|annul|löschen|loeschen|entfernen|kündigen|kuendigen|stornieren|eliminar|borrar|supprimer|effacer|annuler|résilier|excluir|apagar|remover|cancelar|cancella|elimina|rimuovi|annulla|verwijder|verwijderen|annuleer|usun|usuń|удалить|отменить|видалити|smazat|odstranit|radera|slett|slet|poista|sil|törlés|șterge|sterge|حذف|删除|刪除|取消|注销|삭제|削除|hapus|xóa|xoa|ลบ',
    ),
  ],
  [
    'payment',
    holding(
      'pay|buy|purchase|checkout|transfer|withdraw|withdrawal|donate|subscribe|topup|charge|refund|payout|repay|sepa|wire|redeem|tip|reorder|bezahlen|zahlen|kaufen|überweisen|ueberweisen|pagar|comprar|transferir|payer|acheter|virement|paga|compra|acquista|betalen|kopen|kup|zaplac|zapłać|przelew|оплатить|купить|支付|付款|购买|購入|結帳|结账|转账|支払い|결제|구매',
    ),
  ],
  [
    'public_post',
    holding(
      'publish|tweet|retweet|repost|reply|comment|send|broadcast|announce|sendmessage|sendmail|forward|veröffentlichen|senden|antworten|publicar|enviar|publier|envoyer|responder|pubblica|invia|verstuur|plaatsen|wyslij|wyślij|opublikuj|отправить|опубликовать|发布|发送|发表|评论|回复|送信|投稿|전송|게시',
    ),
  ],
  [
    'permission_grant',
    holding(
      'invite|grant|share|promote|impersonate|sudo|einladen|freigeben|invitar|compartir|inviter|partager|convidar|compartilhar|invita|condividi|пригласить|邀请|共享|授权|招待|초대',
    ),
  ],
  [
    'file_upload',
    holding('upload|attach|import|fileupload|hochladen|subir|téléverser|загрузить|上传|アップロード|업로드'),
  ],
  ['bulk_export', holding('export|takeout|backup|exportieren|exportar|exporter|导出|エクスポート')],
];

/** A verb with what it is done to. */
const pairs: readonly (readonly [Named, (words: readonly string[]) => boolean])[] = [
  ['credential_change', (words) => changes(words) && secrets(words) && !factors(words)],
  ['mfa_change', (words) => switches(words) && factors(words) && codes(words)],
  [
    'api_key_creation',
    (words) => makes(words) && (keys(words) || (serviceAccount(words) && words.includes('account'))),
  ],
  ['permission_grant', (words) => gives(words) && rights(words)],
  ['payment', (words) => (placesOrder(words) && orders(words)) || (words.includes('send') && money(words))],
  ['public_post', (words) => creates(words) && posts(words)],
  [
    'delete',
    (words) => (words.includes('close') && account(words)) || (words.includes('empty') && words.length > 1),
  ],
  ['bulk_export', (words) => words.includes('download') && all(words)],
];

const namesOf = (rules: typeof pairs, words: readonly string[]): Named[] =>
  rules.filter(([, names]) => names(words)).map(([kind]) => kind);

/** Which of the kinds two names beside each other say: `/password/reset`, `/secret/rotate`. */
export const namedTogether = (words: readonly string[]): Named[] => namesOf(pairs, words);

/** Which of the kinds words name as an act: a verb, or a verb with what it is done to. */
export function namedByVerbs(words: readonly string[]): Named[] {
  const found = new Set([...namesOf(pairs, words), ...namesOf(alone, words)]);
  // A name says one thing: what `transfer ownership` or `send money` do is the more particular kind.
  if (found.has('permission_grant') && words.includes('transfer')) found.delete('payment');
  if (found.has('payment') && words.includes('send') && money(words)) found.delete('public_post');
  return [...found];
}

/** Collections to which a write adds, or whose entry it changes. */
const collections: readonly (readonly [Named, (word: string | undefined) => boolean])[] = [
  [
    'payment',
    among(
      'payment|payments|orders?|checkouts?|transfers|withdrawals?|charges|payouts|subscriptions?|donations?|purchases|cards|trades|beneficiaries|payees|refunds|bids|mandates|paymentmethods|methods',
    ),
  ],
  [
    'permission_grant',
    among(
      'members|invitations|invites|collaborators|permissions?|grants|shares|sharing|acl|roles?|memberships|admins|owners?|iam|policy|policies|visibility|delegates|access',
    ),
  ],
  [
    'public_post',
    among(
      'emails|comments?|messages|posts|replies|reviews|tweets|statuses|status|mails?|threads|discussions|reactions|answers|feed|shouts|announcements|toots|notes',
    ),
  ],
  ['api_key_creation', among('keys|tokens|webhooks|hooks|secrets|pats|apikeys|sshkeys|serviceaccounts')],
  ['file_upload', among('files|uploads|attachments|media|avatars?')],
  ['bulk_export', among('exports|backups|takeouts')],
  ['credential_change', among('password|passwd|email|username|pin|phone')],
  ['mfa_change', among('2fa|mfa|totp|otp|passkeys?|webauthn|factors|authenticators')],
];

/** Which of the kinds a write to this collection is. */
export const namedByCollection = (words: readonly string[]): Named[] => {
  return collections
    .filter(([, names]) => names(words.at(-1)) || names(words.join('')))
    .map(([kind]) => kind);
};

/** Words that only read. */
export const reads = among(
  'get|by|inplview|search|find|query|fetch|retrieve|lookup|autocomplete|typeahead|facets|msearch|bsearch|browse|aggregations|multisearch|checkavailability|checkexists|exists|isavailable|runquery|runaggregationquery|runreport|mget|batchget|searchread|suche|suchen|buscar|busqueda|recherche|rechercher|cerca|ricerca|zoeken|pesquisa|szukaj|поиск|hledat|sök|søk|ara|検索|검색|搜索|查询|tim|cari',
);

/** Words that read, and are done to a thing as well: an item is listed for sale, a wallet loaded. */
export const mayRead = among(
  'list|count|counts|totals|download|calculate|compute|estimate|render|describe|preview|translate|scroll|explore|aggregate|filter|history|load|suggest|queries|suggestions',
);

/** The same, of which a thing is marked or left by: `read`, `checkOut`. */
export const looks = among('read|view|show|check|head');

/** Endings of names of searches: `_search`, `people_lookup`. */
export const asks = among('search|query|autocomplete|typeahead|lookup|msearch|find');

/** Words that settle what stands before them: signing a payment pays it, blocking a card does not. */
export const settles = among(
  'sign|approve|confirm|execute|submit|complete|finish|create|add|new|save|update|edit|put|insert|set|run|accept|process|batch|bulk',
);

/** Words that change something and say no more. */
export const writes = among(
  'save|update|edit|set|create|add|insert|put|patch|write|archive|unarchive|approve|accept|reject|decline|deny|confirm|submit|assign|unassign|move|merge|close|reopen|open|lock|unlock|enable|disable|start|stop|restart|reboot|launch|deploy|run|execute|exec|follow|unfollow|like|unlike|vote|upvote|downvote|star|unstar|watch|unwatch|subscribe|unsubscribe|mark|toggle|rename|copy|clone|fork|restore|reset|block|unblock|ban|mute|report|pin|unpin|apply|book|reserve|schedule|snooze|activate|suspend|resume|rollback|revert|sign|complete|finish|react|join|leave|logout|signout|logoff|install|scale|resize|attach|detach|connect|disconnect|link|protect|undo|bulk|process|convert|release|hire|fire|claim|register|signup|trigger|poke|friend|unfriend|tag|untag|label|flag|dismiss|transition|checkin|issue|rotate|provision|import|modify|replace|append|increment|rebase|squash|commit|push|upsert',
);
