import 'webhlo/elements';

globalThis.answer = customElements.whenDefined('hlo-layout').then(async () => {
  const element = document.createElement('hlo-layout');
  element.setAttribute('shape', 'f32[3,5]{1,0:T(2,2)}');
  document.body.append(element);
  await element.wake();
  await element.updateComplete;
  return { drawn: element.shadowRoot.querySelector('svg') !== null, text: element.shadowRoot.textContent.trim() !== '' };
});
