export { signInAs } from '#tests/support/signed-in-page.ts';
