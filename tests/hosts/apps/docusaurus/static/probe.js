// Leaves what the test asks for: whether the element of the page has its picture, with what only the runtime knows.
globalThis.answer = customElements.whenDefined('hlo-layout').then(async () => {
  const element = document.querySelector('hlo-layout');
  const slotted = element.textContent;
  await element.wake();
  const summary = () => element.shadowRoot.querySelector('[part=formula-summary]')?.textContent ?? '';
  for (let i = 0; i < 200 && !summary().includes('17'); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  const drawn = summary().includes('17') && element.shadowRoot.querySelector('canvas').width > 0;
  const paper = (dark) => {
    document.documentElement.classList.toggle('dark', dark);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    return getComputedStyle(element.shadowRoot.querySelector('.formula')).color;
  };
  return { drawn, slotted, compact: getComputedStyle(element.shadowRoot.querySelector('[part=toolbar]')).display, switches: paper(true) !== paper(false) };
});
