// Asks who is signed in while the code that wants to know is on its way; web/shared/early-answers.ts hands it out.
(function () {
  try {
    var session = JSON.parse(localStorage.getItem('dovepost.session'));
    if (session === null || !session.token) return;
    var paths = ['/api/user/me'];
    if (session.currentProjectId) paths.push('/api/projects');
    var answers = {};
    paths.forEach(function (path) {
      answers[path] = fetch(path, { headers: { authorization: session.token } });
      // The failure is handled where the answer is used.
      answers[path].catch(function () {});
    });
    window.earlyAnswers = { token: session.token, at: performance.now(), answers: answers };
  } catch {
    // The app asks for itself.
  }
})();
