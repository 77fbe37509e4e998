export { createMailSender } from './mail-sender.ts';
export { sendMail } from './send-mail.ts';
