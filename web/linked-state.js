// What a reader does to the elements of a page stands in its address, so that a link leads to the same state.
//
// Every element with an id takes part: an attribute that differs from the page's own is a parameter id.attribute. It stands behind the ?,
// or behind the # where an element's class says so (`keepsInFragment`): that part may be long, and no server is sent it.

/** Attributes that belong to the page, not to the reader. */
const OURS = new Set(['id', 'class', 'style', 'slot', 'hidden', 'role', 'tabindex', 'lang', 'dir', 'playground']);

/** @param {Document} page */
export function linkState(page) {
  const elements = [...page.querySelectorAll('[id]')].filter((element) => element.localName.startsWith('hlo-'));
  const original = new Map(elements.map((element) => [element, attributesOf(element)]));

  read(new URLSearchParams(location.search), false);
  read(new URLSearchParams(location.hash.slice(1)), true);
  addEventListener('hashchange', () => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    if (location.hash.length > 1 && ![...parameters.keys()].some((key) => key.includes('.'))) return; // a place in the page
    for (const element of elements.filter(isInFragment))
      for (const [name] of attributesOf(element))
        if (!parameters.has(`${element.id}.${name}`)) restore(element, name, original.get(element)?.get(name));
    read(parameters, true);
  });

  /** @param {URLSearchParams} parameters @param {boolean} fragment */
  function read(parameters, fragment) {
    for (const [key, value] of parameters) {
      const dot = key.indexOf('.');
      const element = elements.find(({ id }) => id === key.slice(0, dot));
      const name = key.slice(dot + 1);
      if (element && isInFragment(element) === fragment && mayBeSet(name) && element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }

  /** Says which of the page's examples is the one that is shown. */
  function mark() {
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (page.querySelectorAll('.presets a'))) {
      const parameters = [...new URL(link.href).searchParams];
      const isShown = parameters.every(([key, value]) => page.getElementById(key.split('.')[0])?.getAttribute(key.split('.')[1]) === value);
      const isCurrent = parameters.length > 0 ? isShown : location.search === '';
      if (isCurrent) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }
  mark();

  let waiting = 0;
  const observer = new MutationObserver(() => {
    clearTimeout(waiting);
    waiting = window.setTimeout(write, 250);
  });
  for (const element of elements) observer.observe(element, { attributes: true });

  function write() {
    const query = new URLSearchParams();
    const fragment = new URLSearchParams();
    for (const element of elements)
      for (const [name, value] of attributesOf(element))
        if (original.get(element)?.get(name) !== value) (isInFragment(element) ? fragment : query).set(`${element.id}.${name}`, value);
    const search = query.size > 0 ? `?${query}` : '';
    const hash = fragment.size > 0 ? `#${fragment}` : elements.some(isInFragment) ? '' : location.hash;
    if (search !== location.search || hash !== location.hash) history.replaceState(history.state, '', `${location.pathname}${search}${hash}`);
    mark();
  }
}

/** @param {Element} element */
function isInFragment(element) {
  return /** @type {any} */ (element.constructor).keepsInFragment === true;
}

/** @param {Element} element @param {string} name @param {string | undefined} value the page's own */
function restore(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** A link must not be able to run anything: names of handlers are left alone. @param {string} name */
function mayBeSet(name) {
  return /^[a-z][a-z-]*$/.test(name) && !name.startsWith('on') && !OURS.has(name);
}

/** @param {Element} element @returns {Map<string, string>} */
function attributesOf(element) {
  return new Map([...element.attributes].filter(({ name }) => mayBeSet(name)).map(({ name, value }) => [name, value]));
}
