import { among } from '../words.ts';

/** Without the marks above and below letters: `añadir` as `anadir`. */
const bare = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '');

const verbs = among(
  [
    // German
    'hinzufuegen|hinzufugen|speichern|freischalten|ablehnen|genehmigen|bestaetigen|bestatigen|sperren|entsperren|aktivieren|deaktivieren|abbestellen|zuruecksetzen|zurucksetzen|uebernehmen|annehmen|folgen|entfolgen|neustart|neustarten|leeren|absagen|loschung|loeschung|kundigen|kuendigen',
    // French
    'ajouter|enregistrer|valider|approuver|refuser|accepter|confirmer|bloquer|debloquer|activer|desactiver|desinscrire|desabonner|suivre|voter|envoyer|publier|retirer|bannir|vider|redemarrer|reinitialiser|archiver|suppression',
    // Spanish and Portuguese
    'agregar|anadir|guardar|confirmar|aprobar|aprovar|rechazar|rejeitar|recusar|aceptar|aceitar|bloquear|desbloquear|activar|ativar|desactivar|desativar|inativar|seguir|votar|anular|adicionar|salvar|gravar|quitar|retirar|cambiar|reiniciar|vaciar|esvaziar|banear|deletar|inserir|insertar|actualizar|atualizar|restaurar|habilitar|deshabilitar|desabilitar|finalizar|curtir|baja|remocao|exclusao|eliminacion|supresion|darbaja|dardebaja|inscribir',
    // Italian
    'aggiungi|aggiungere|salva|salvare|conferma|approva|rifiuta|accetta|blocca|sblocca|attiva|attivare|disattiva|disattivare|segui|vota|svuota|riavvia|eliminare|rimuovere|cancellare|disiscrivi|inserisci',
    // Dutch
    'toevoegen|opslaan|bevestigen|goedkeuren|afwijzen|blokkeren|deblokkeren|activeren|deactiveren|wissen|uitschrijven|afmelden|herstarten|leegmaken',
    // Polish, Czech
    'dodaj|zapisz|potwierdz|zatwierdz|odrzuc|zablokuj|odblokuj|aktywuj|dezaktywuj|anuluj|usun|skasuj|wyczysc|pridat|ulozit|potvrdit|schvalit|zamitnout|blokovat|odebrat|zrusit',
    // Turkish
    'ekle|kaydet|onayla|reddet|engelle|guncelle|begen|iptal|iptalet|takipet|pasiflestir|aktiflestir|bosalt|sifirla|kaldir',
    // Indonesian, Vietnamese
    'simpan|setujui|tolak|batal|batalkan|aktifkan|nonaktifkan|blokir|kirim|proseshapus|tambahkan|duyet|huy|luu|khoa',
    // Swedish, Danish, Norwegian, Finnish
    'laggtill|spara|bekrafta|godkann|avbryt|blockera|avregistrera|godkend|tilfoj|lagre|bekreft|fjern|tabort|avslutt|lisaa|tallenna|vahvista|hyvaksy|hylkaa',
    // Russian, in its own letters and in ours
    'udalit|dobavit|sohranit|podtverdit|odobrit|otklonit|zablokirovat|otpisatsya|добавить|сохранить|подтвердить|одобрить|отклонить|заблокировать|отписаться',
    // Chinese, Japanese, Korean
    '添加|保存|确认|批准|拒绝|提交|禁用|启用|追加|確認|承認|拒否|추가|저장|승인|확인|거절',
    // Hungarian, Romanian, Greek
    'torles|mentes|hozzaadas|jovahagyas|adauga|salveaza|aproba|respinge|anuleaza|diagrafi|prosthiki',
  ].join('|'),
);

/** Whether a word is a verb of another language that changes what it is done to. */
export const actsAbroad = (word: string): boolean => verbs(word) || verbs(bare(word));
