/** Where Meta's dialog hands its answer to: a page of the web app. */
export const signUpReturnPath = '/official-sign-up';
