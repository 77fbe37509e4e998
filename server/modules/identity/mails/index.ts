export { createMailSender } from './mail-sender.ts';
export { resealMails } from './reseal-mails.ts';
export { sendDueMails } from './send-due-mails.ts';
export { sendMail } from './send-mail.ts';
