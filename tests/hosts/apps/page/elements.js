import 'webhlo/elements';

globalThis.answer = customElements.whenDefined('hlo-layout').then(async () => {
  const element = document.createElement('hlo-layout');
  element.setAttribute('shape', 'f32[3,5]{1,0:T(2,2)}');
  element.setAttribute('at', '2,3');
  document.body.append(element);
  await element.wake();
  await element.updateComplete;
  // Its picture says what only the runtime knows.
  const told = () => element.shadowRoot.textContent.includes('1·12 + 1·4 + 0·2 + 1 = 17');
  for (let i = 0; i < 100 && !told(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  return told() ? 'drawn' : element.shadowRoot.textContent;
});
