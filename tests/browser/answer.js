// For pages of tests: the page's answer, kept as globalThis.answer and sent to the address that the page was opened with, if any.

/** @type {string[]} */
const problems = [];
addEventListener('error', ({ message }) => problems.push(message));
addEventListener('unhandledrejection', ({ reason }) => problems.push(`${reason}`));

/** @param {Promise<any>} answer failures as `{ failed }` */
export function tell(answer) {
  globalThis.answer = answer;
  const to = new URLSearchParams(location.search).get('tell');
  if (to) answer.then((value) => fetch(to, { method: 'POST', body: JSON.stringify({ answer: value, problems }) }));
}
