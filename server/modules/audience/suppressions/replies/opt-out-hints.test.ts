import { expect, test } from 'vitest';
import { hintsAtOptOut } from './opt-out-hints.ts';

test.each([
  'Please stop',
  'STOP PLEASE!!',
  'stop, thank you',
  'pls stop now',
  '🛑',
  '⛔️ 🚫',
  '🛑!',
  'stop it',
  "Don't text me any more",
  'Who are you? Leave me alone.',
  'take me off your list',
  'por favor parar',
  'No me escriban más',
  'Por favor, pare',
  'Não quero mais receber isso',
  'Arrêtez de m’écrire',
  "arrêter s'il vous plaît",
  'Désabonnez-moi',
  'Bitte abmelden',
  'Schreiben Sie mir nicht mehr!',
  'Non scrivetemi più',
  'Tolong berhenti',
  'jangan kirim lagi',
  'Lütfen durdurun',
  'LÜTFEN MESAJ ATMAYIN',
  'من فضلك توقف',
  'لا ترسلوا لي',
  'कृपया बंद करें',
  'मैसेज मत भेजो',
  'Пожалуйста, прекратите',
  'не пишите мне больше',
  // A word that the account does not know, as its words are its own.
  'STOP',
])('%j may be meant so', (text) => {
  expect(hintsAtOptOut(text)).toBe(true);
});

test.each([
  '',
  '👍',
  '🙏',
  'ok 🛑 see you at the crossing',
  'please',
  'Please do not stop',
  "please don't stop",
  'Where does the bus stop?',
  'I cannot stop by today, thanks',
  'non-stop',
  'please cancel',
  'CANCEL',
  'Cancelar por favor',
  'Thank you',
  'alto volumen por favor',
  `please stop${' and listen'.repeat(20)}`,
])('%j is not', (text) => {
  expect(hintsAtOptOut(text)).toBe(false);
});
