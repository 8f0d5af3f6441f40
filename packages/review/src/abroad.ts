import type { Sensitive } from './lexicon.ts';

/** Whole words, beside letters of any script. */
const words = (these: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${these})(?![\\p{L}\\p{M}])`, 'iu');
/** Scripts that put no space between words. */
const signs = (these: string): RegExp => new RegExp(these, 'u');
const anything = /(?:)/;

const accounts =
  'konto|abo|abonnement|vertrag|mitgliedschaft|compte|adhésion|cuenta|suscripción|conta|assinatura|account|abbonamento|iscrizione|lidmaatschap|subskrypcj[aęi]|подписку|аккаунт|учётную запись|hesabı(?:mı|nızı)?|aboneliği?|účet|předplatné|fiók|contul|cont|prenumeration|medlemskap|tilaus|tili';
const orders =
  'bestellung|buchung|auftrag|commande|réservation|pedido|reserva|ordine|prenotazione|encomenda|bestelling|zamówienie|rezerwację|заказ|бронь|siparişi?|objednávku|rendelés|comanda|beställning|ordre|tilaus';
const payments =
  'zahlung|überweisung|bestellung|kauf|paiement|virement|achat|commande|pago|transferencia|compra|pedido|pagamento|bonifico|acquisto|ordine|transferência|betaling|overboeking|bestelling|płatność|przelew|zakup|платёж|платеж|перевод|заказ|ödeme(?:yi)?|havale(?:yi)?|platbu|fizetést|plata|betalning|överföring|overføring|maksu';

/**
 * What names of buttons, links and headings say beyond the lexicon, as verb and object: both must be there. A verb that also closes a
 * dialog (`Annuler`, `取消`) says nothing alone.
 */
const acts: readonly (readonly [Sensitive, verb: RegExp, object: RegExp])[] = [
  ['payment', words('confirm|authori[sz]e|approve'), words('payments?|transfers?|orders?|purchases?')],
  [
    'payment',
    words(
      'bestätigen|freigeben|confirmer|valider|autoriser|confirmar|autorizar|conferma|autorizza|bevestigen|potwierdź|подтвердить|onayla|potvrdit|megerősít|confirmă|bekräfta|bekreft|bekræft|vahvista',
    ),
    words(payments),
  ],
  [
    'payment',
    signs('確認|確定|승인|확인|确认'),
    signs('支払|振込|注文|購入|결제|송금|이체|주문|付款|转账|订单|支付'),
  ],
  [
    'payment',
    words(
      'jetzt (?:kaufen|bezahlen|bestellen)|(?:zahlungs|kosten)pflichtig bestellen|bezahlen|überweisen|transférer|transferir|trasferire|przelać|перевести|payer|acheter maintenant|passer (?:la )?commande|pagar|comprar (?:ahora|ya|agora)|realizar pedido|finalizar (?:compra|pedido)|paga(?: ora)?|acquista ora|compra ora|betalen|nu (?:kopen|bestellen)|zapłać|kup teraz|оплатить|купить сейчас|оформить заказ|satın al|ödeme yap|zaplatit|koupit|fizetek|plătește|betala|köp nu|betal nå|kjøp nå|køb nu|maksa|osta nyt',
    ),
    anything,
  ],
  [
    'payment',
    signs(
      '支払う|購入する|注文を確定|今すぐ(?:買う|購入)|결제하기|구매하기|바로 ?구매|立即(?:购买|購買|支付|付款|下单)|提交订单|確認付款|💳',
    ),
    anything,
  ],
  [
    'delete',
    words(
      'löschen|supprimer|effacer|eliminar|borrar|excluir|apagar|elimina|cancella|verwijder(?:en)?|usuń|удалить|видалити|smazat|odstranit|törlés|șterge|sterge|radera|ta bort|slett|slet|poista|sil|διαγραφή|hapus|xóa|kündigen|résilier|opzeggen|wypowiedz',
    ),
    anything,
  ],
  ['delete', signs('削除(?!済|され)|삭제(?!된|됨|한)|刪除|退会|解約|탈퇴|해지|מחק|حذف|ลบ|🗑'), anything],
  [
    'delete',
    words(
      'annuler|cancelar|anular|annulla|disdici|stornieren|annuleren|anuluj|отменить|скасувати|iptal(?: et)?|zrušit|lemond|anulează|avbryt|avsluta|opsig|peruuta',
    ),
    words(`${accounts}|${orders}`),
  ],
  [
    'delete',
    words(
      'schließen|schliessen|fermer|clôturer|cerrar|encerrar|fechar|chiudi|sluiten|opheffen|zamknij|закрыть|kapat|zavřít|bezár|închide|stäng|lukk|luk|sulje',
    ),
    words(accounts),
  ],
  [
    'delete',
    signs('キャンセル|取り消|취소|取消|关闭|關閉'),
    signs('注文|予約|アカウント|購読|会員|주문|구독|예약|계정|订单|订阅|账户|账号|帐户|訂單|訂閱|帳戶'),
  ],
  [
    'credential_change',
    words(
      'ändern|changer|modifier|cambiar|alterar|mudar|cambia|modifica|wijzigen|zmień|изменить|сменить|değiştir|změnit|módosít|schimbă|ändra|endre|skift|vaihda',
    ),
    words(
      'passwort|kennwort|mot de passe|contraseña|clave|senha|palavra-passe|password|wachtwoord|hasło|пароль|şifre(?:yi|mi)?|heslo|jelszót?|parola|lösenord|passord|adgangskode|salasana|e-?mail(?:-adresse)?|correo|почту',
    ),
  ],
  ['credential_change', signs('変更|변경|変える'), signs('パスワード|メール|비밀번호|이메일')],
];

/** A filter is taken off, a choice undone: nothing is lost by it. */
const ofView = words(
  'filtern?|filtres?|filtros?|filtri|filtry|фильтры?|filtreyi|auswahl|sélection|selección|selezione|suche|recherche|búsqueda|ricerca',
);

export const namedAbroad = (name: string): Sensitive[] =>
  ofView.test(name)
    ? []
    : acts.flatMap(([kind, verb, object]) => (verb.test(name) && object.test(name) ? [kind] : []));
