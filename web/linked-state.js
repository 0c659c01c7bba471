// What a reader does to the elements of a page stands in its address, so that a link leads to the same state.
//
// Every element with an id takes part: an attribute that differs from the page's own is a parameter id.attribute.

/** Attributes that belong to the page, not to the reader. */
const OURS = new Set(['id', 'class', 'style', 'slot', 'hidden', 'role', 'tabindex', 'lang', 'dir']);

/** @param {Document} page */
export function linkState(page) {
  const elements = [...page.querySelectorAll('[id]')].filter((element) => element.localName.startsWith('hlo-'));
  const original = new Map(elements.map((element) => [element, attributesOf(element)]));

  for (const [key, value] of new URLSearchParams(location.search)) {
    const dot = key.indexOf('.');
    const element = elements.find(({ id }) => id === key.slice(0, dot));
    const name = key.slice(dot + 1);
    if (element && mayBeSet(name)) element.setAttribute(name, value);
  }

  let waiting = 0;
  const observer = new MutationObserver(() => {
    clearTimeout(waiting);
    waiting = window.setTimeout(write, 250);
  });
  for (const element of elements) observer.observe(element, { attributes: true });

  function write() {
    const parameters = new URLSearchParams();
    for (const element of elements)
      for (const [name, value] of attributesOf(element))
        if (original.get(element)?.get(name) !== value) parameters.set(`${element.id}.${name}`, value);
    const query = parameters.size > 0 ? `?${parameters}` : '';
    if (query !== location.search) history.replaceState(history.state, '', `${location.pathname}${query}${location.hash}`);
  }
}

/** A link must not be able to run anything: names of handlers are left alone. @param {string} name */
function mayBeSet(name) {
  return /^[a-z][a-z-]*$/.test(name) && !name.startsWith('on') && !OURS.has(name);
}

/** @param {Element} element @returns {Map<string, string>} */
function attributesOf(element) {
  return new Map([...element.attributes].filter(({ name }) => mayBeSet(name)).map(({ name, value }) => [name, value]));
}
