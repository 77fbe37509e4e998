/** The words of the page, in the languages of the words that opt out. */
export type PreferencesTexts = {
  title: string;
  intro: (business: string) => string;
  number: string;
  allOff: string;
  stopAll: string;
  stopAllHint: string;
  save: string;
  saved: string;
  noTopics: string;
  notFound: string;
  notFoundHint: string;
  tooMany: string;
};

export const languages = ['en', 'es', 'pt', 'fr', 'de', 'it', 'id', 'tr', 'ar', 'hi', 'ru'] as const;
export type PreferencesLanguage = (typeof languages)[number];

export const texts: Readonly<Record<PreferencesLanguage, PreferencesTexts>> = {
  en: {
    title: 'Your message preferences',
    intro: (business) => `Choose what ${business} may send you on WhatsApp.`,
    number: 'For the number',
    allOff: 'You have stopped all messages. Reply START in the chat if you want them again.',
    stopAll: 'Stop all messages',
    stopAllHint: 'You will get nothing more from this business, whatever is chosen above.',
    save: 'Save',
    saved: 'Your choices are saved.',
    noTopics: 'There is nothing to choose among at present.',
    notFound: 'This link does not work',
    notFoundHint: 'Open it again from the message that it came with.',
    tooMany: 'Too many requests. Wait a minute and try again.',
  },
  es: {
    title: 'Tus preferencias de mensajes',
    intro: (business) => `Elige qué puede enviarte ${business} por WhatsApp.`,
    number: 'Para el número',
    allOff: 'Has detenido todos los mensajes. Responde START en el chat si quieres recibirlos de nuevo.',
    stopAll: 'Detener todos los mensajes',
    stopAllHint: 'No recibirás nada más de este negocio, elijas lo que elijas arriba.',
    save: 'Guardar',
    saved: 'Tus preferencias se han guardado.',
    noTopics: 'Ahora mismo no hay nada que elegir.',
    notFound: 'Este enlace no funciona',
    notFoundHint: 'Ábrelo de nuevo desde el mensaje en el que llegó.',
    tooMany: 'Demasiadas solicitudes. Espera un minuto e inténtalo de nuevo.',
  },
  pt: {
    title: 'Suas preferências de mensagens',
    intro: (business) => `Escolha o que ${business} pode enviar para você pelo WhatsApp.`,
    number: 'Para o número',
    allOff: 'Você parou todas as mensagens. Responda START na conversa se quiser recebê-las de novo.',
    stopAll: 'Parar todas as mensagens',
    stopAllHint: 'Você não receberá mais nada desta empresa, seja qual for a escolha acima.',
    save: 'Salvar',
    saved: 'Suas escolhas foram salvas.',
    noTopics: 'Não há nada para escolher no momento.',
    notFound: 'Este link não funciona',
    notFoundHint: 'Abra-o de novo na mensagem em que ele veio.',
    tooMany: 'Solicitações demais. Espere um minuto e tente de novo.',
  },
  fr: {
    title: 'Vos préférences de messages',
    intro: (business) => `Choisissez ce que ${business} peut vous envoyer sur WhatsApp.`,
    number: 'Pour le numéro',
    allOff: 'Vous avez arrêté tous les messages. Répondez START dans la discussion pour les recevoir à nouveau.',
    stopAll: 'Arrêter tous les messages',
    stopAllHint: 'Vous ne recevrez plus rien de cette entreprise, quels que soient vos choix ci-dessus.',
    save: 'Enregistrer',
    saved: 'Vos choix sont enregistrés.',
    noTopics: "Il n'y a rien à choisir pour le moment.",
    notFound: 'Ce lien ne fonctionne pas',
    notFoundHint: 'Ouvrez-le à nouveau depuis le message où il se trouvait.',
    tooMany: 'Trop de demandes. Attendez une minute et réessayez.',
  },
  de: {
    title: 'Ihre Einstellungen für Nachrichten',
    intro: (business) => `Wählen Sie, was ${business} Ihnen über WhatsApp schicken darf.`,
    number: 'Für die Nummer',
    allOff: 'Sie haben alle Nachrichten beendet. Antworten Sie im Chat mit START, wenn Sie wieder welche möchten.',
    stopAll: 'Alle Nachrichten beenden',
    stopAllHint: 'Sie bekommen von diesem Unternehmen nichts mehr, was auch immer oben gewählt ist.',
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert.',
    noTopics: 'Zurzeit gibt es nichts zu wählen.',
    notFound: 'Dieser Link funktioniert nicht',
    notFoundHint: 'Öffnen Sie ihn noch einmal aus der Nachricht, in der er stand.',
    tooMany: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  },
  it: {
    title: 'Le tue preferenze sui messaggi',
    intro: (business) => `Scegli che cosa ${business} può inviarti su WhatsApp.`,
    number: 'Per il numero',
    allOff: 'Hai interrotto tutti i messaggi. Rispondi START nella chat se vuoi riceverli di nuovo.',
    stopAll: 'Interrompi tutti i messaggi',
    stopAllHint: "Non riceverai più nulla da quest'azienda, qualunque cosa sia scelta sopra.",
    save: 'Salva',
    saved: 'Le tue scelte sono state salvate.',
    noTopics: "Al momento non c'è nulla da scegliere.",
    notFound: 'Questo link non funziona',
    notFoundHint: 'Aprilo di nuovo dal messaggio in cui si trovava.',
    tooMany: 'Troppe richieste. Aspetta un minuto e riprova.',
  },
  id: {
    title: 'Preferensi pesan Anda',
    intro: (business) => `Pilih apa yang boleh dikirim ${business} kepada Anda lewat WhatsApp.`,
    number: 'Untuk nomor',
    allOff: 'Anda telah menghentikan semua pesan. Balas START di obrolan jika ingin menerimanya lagi.',
    stopAll: 'Hentikan semua pesan',
    stopAllHint: 'Anda tidak akan menerima apa pun lagi dari bisnis ini, apa pun pilihan di atas.',
    save: 'Simpan',
    saved: 'Pilihan Anda telah disimpan.',
    noTopics: 'Saat ini tidak ada yang dapat dipilih.',
    notFound: 'Tautan ini tidak berfungsi',
    notFoundHint: 'Buka lagi dari pesan tempat tautan ini berada.',
    tooMany: 'Terlalu banyak permintaan. Tunggu satu menit lalu coba lagi.',
  },
  tr: {
    title: 'Mesaj tercihleriniz',
    intro: (business) => `${business} size WhatsApp üzerinden neler gönderebilir, seçin.`,
    number: 'Numara',
    allOff: 'Tüm mesajları durdurdunuz. Yeniden almak isterseniz sohbette START yazın.',
    stopAll: 'Tüm mesajları durdur',
    stopAllHint: 'Yukarıda ne seçili olursa olsun bu işletmeden artık hiçbir şey almazsınız.',
    save: 'Kaydet',
    saved: 'Seçimleriniz kaydedildi.',
    noTopics: 'Şu anda seçilecek bir şey yok.',
    notFound: 'Bu bağlantı çalışmıyor',
    notFoundHint: 'Bağlantıyı geldiği mesajdan yeniden açın.',
    tooMany: 'Çok fazla istek. Bir dakika bekleyip yeniden deneyin.',
  },
  ar: {
    title: 'تفضيلات رسائلك',
    intro: (business) => `اختر ما يمكن أن يرسله إليك ${business} عبر واتساب.`,
    number: 'للرقم',
    allOff: 'لقد أوقفت جميع الرسائل. أرسل START في المحادثة إذا أردت استلامها من جديد.',
    stopAll: 'إيقاف جميع الرسائل',
    stopAllHint: 'لن تصلك أي رسالة أخرى من هذا النشاط، مهما كان اختيارك أعلاه.',
    save: 'حفظ',
    saved: 'تم حفظ اختياراتك.',
    noTopics: 'لا يوجد ما يمكن اختياره حاليًا.',
    notFound: 'هذا الرابط لا يعمل',
    notFoundHint: 'افتحه مرة أخرى من الرسالة التي جاء فيها.',
    tooMany: 'طلبات كثيرة جدًا. انتظر دقيقة ثم حاول مرة أخرى.',
  },
  hi: {
    title: 'आपके संदेशों की पसंद',
    intro: (business) => `चुनें कि ${business} आपको WhatsApp पर क्या भेज सकता है।`,
    number: 'इस नंबर के लिए',
    allOff: 'आपने सभी संदेश बंद कर दिए हैं। उन्हें फिर से पाने के लिए चैट में START लिखें।',
    stopAll: 'सभी संदेश बंद करें',
    stopAllHint: 'ऊपर जो भी चुना हो, आपको इस व्यवसाय से और कुछ नहीं मिलेगा।',
    save: 'सहेजें',
    saved: 'आपकी पसंद सहेज ली गई है।',
    noTopics: 'अभी चुनने के लिए कुछ नहीं है।',
    notFound: 'यह लिंक काम नहीं करता',
    notFoundHint: 'इसे उसी संदेश से फिर खोलें जिसमें यह आया था।',
    tooMany: 'बहुत अधिक अनुरोध। एक मिनट रुककर फिर कोशिश करें।',
  },
  ru: {
    title: 'Ваши настройки сообщений',
    intro: (business) => `Выберите, что ${business} может присылать вам в WhatsApp.`,
    number: 'Для номера',
    allOff: 'Вы остановили все сообщения. Ответьте START в чате, если хотите получать их снова.',
    stopAll: 'Остановить все сообщения',
    stopAllHint: 'Вы больше ничего не получите от этой компании, что бы ни было выбрано выше.',
    save: 'Сохранить',
    saved: 'Ваш выбор сохранён.',
    noTopics: 'Сейчас выбирать не из чего.',
    notFound: 'Эта ссылка не работает',
    notFoundHint: 'Откройте её ещё раз из сообщения, в котором она пришла.',
    tooMany: 'Слишком много запросов. Подождите минуту и попробуйте снова.',
  },
};

const ofCountry: Readonly<Record<string, PreferencesLanguage>> = Object.fromEntries(
  (
    [
      ['es', 'ES MX AR CO CL PE VE EC GT CU BO DO HN PY SV NI CR PA UY'],
      ['pt', 'BR PT AO MZ'],
      ['fr', 'FR CI SN CM ML BF MG BJ TG GA CG'],
      ['de', 'DE AT CH LI'],
      ['it', 'IT SM'],
      ['id', 'ID'],
      ['tr', 'TR'],
      ['ar', 'SA EG AE MA DZ TN IQ JO LB KW QA BH OM LY YE SD SY'],
      ['hi', 'IN'],
      ['ru', 'RU BY KZ KG'],
    ] as const
  ).flatMap(([language, countries]) => countries.split(' ').map((country) => [country, language])),
);

const asLanguage = (tag: string | null | undefined): PreferencesLanguage | undefined => {
  const [first = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  return languages.find((language) => language === first);
};

/** The language of a contact: as the profile has it, else as the browser asks, else of the number's country. */
export function languageFor(known: {
  profile: string | null | undefined;
  browser: string | undefined;
  country: string | null | undefined;
}): PreferencesLanguage {
  const asked = (known.browser ?? '').split(',').map((part) => asLanguage(part.trim().split(';')[0]));
  return (
    asLanguage(known.profile) ??
    asked.find((language) => language !== undefined) ??
    ofCountry[known.country ?? ''] ??
    'en'
  );
}
