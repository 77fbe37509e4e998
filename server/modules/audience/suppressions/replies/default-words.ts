import type { OptOutSettings } from '#contracts/suppressions.ts';

/**
 * English, Spanish, Portuguese, French, German, Italian, Indonesian, Turkish, Arabic, Hindi, Russian; the guide to opt-out
 * (`web/docs/guides/08-opt-out.md`) lists them by language.
 */
const optOutWords = [
  ['stop', 'stop all', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'remove', 'opt out', 'optout', 'remove me'],
  ['baja', 'cancelar', 'alto', 'salir', 'darme de baja', 'cancelar suscripción', 'no más mensajes'],
  ['sair', 'parar', 'pare', 'descadastrar', 'cancelar inscrição', 'remover'],
  ['arrêt', 'arrêter', 'désabonner', 'désinscription'],
  ['stopp', 'abmelden', 'abbestellen', 'austragen'],
  ['annulla', 'disiscrivi', 'disiscrivimi', 'cancellami', 'annulla iscrizione'],
  ['berhenti', 'batal', 'berhenti langganan', 'unreg'],
  ['iptal', 'dur', 'durdur', 'abonelikten çık', 'listeden çık'],
  ['إيقاف', 'توقف', 'إلغاء الاشتراك'],
  ['रोकें', 'बंद', 'बंद करें', 'बंद करो', 'सदस्यता रद्द करें'],
  ['стоп', 'отписаться'],
].flat();

/**
 * Words that people also answer a question with: they opt out only where they were typed, and not in answer to a message
 * that asks for them.
 */
export const ambiguousWords = ['cancel', 'cancelar', 'end', 'alto', 'annulla', 'remove', 'batal', 'iptal'];

const optInWords = [
  ['start', 'unstop', 'subscribe', 'opt in', 'optin'],
  ['alta', 'suscribir', 'suscribirme'],
  ['iniciar', 'começar', 'inscrever'],
  ['démarrer', 'abonner', "s'abonner"],
  ['starten', 'anmelden', 'abonnieren'],
  ['iscrivi', 'iscrivimi', 'inizia'],
  ['mulai', 'berlangganan'],
  ['başla', 'başlat', 'abone ol'],
  ['ابدأ', 'اشتراك'],
  ['शुरू करें', 'शुरू करो', 'सदस्यता लें'],
].flat();

export const defaultSettings: OptOutSettings = {
  recognizes_replies: true,
  opt_out_words: optOutWords,
  opt_in_words: optInWords,
  confirms_opt_out: true,
  opt_out_text: 'You will not get any more messages from us. Reply START if you want them again.',
  confirms_opt_in: true,
  opt_in_text: 'You will get our messages again. Reply STOP at any time to end them.',
};
