import type { OptOutSettings } from '#contracts/suppressions.ts';

/**
 * Ten languages: English, Spanish, Portuguese, French, German, Italian, Indonesian, Turkish, Arabic, Hindi. Words that
 * people also answer a question with (cancel, end, no) are none of them.
 */
const optOutWords = [
  ['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'optout', 'remove me'],
  ['baja', 'darme de baja', 'cancelar suscripción', 'no más mensajes'],
  ['parar', 'pare', 'descadastrar', 'cancelar inscrição', 'remover'],
  ['arrêt', 'arrêter', 'désabonner', 'désinscription'],
  ['stopp', 'abmelden', 'abbestellen', 'austragen'],
  ['disiscrivi', 'disiscrivimi', 'cancellami', 'annulla iscrizione'],
  ['berhenti', 'berhenti langganan', 'unreg'],
  ['dur', 'durdur', 'abonelikten çık', 'listeden çık'],
  ['إيقاف', 'توقف', 'إلغاء الاشتراك'],
  ['बंद करें', 'बंद करो', 'रोकें', 'सदस्यता रद्द करें'],
].flat();

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
