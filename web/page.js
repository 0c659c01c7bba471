// Every page of the documentation: its elements, its fields, and its state in the address.
import './elements/index.js';
import { linkState } from './linked-state.js';

/** @typedef {import('./elements/hlo-shape-field.js').HloShapeField} HloShapeField */

linkState(document);

// A shape field with for="id" is where that element's shape is typed.
for (const field of /** @type {NodeListOf<HloShapeField>} */ (document.querySelectorAll('hlo-shape-field[for]'))) {
  const target = document.getElementById(field.getAttribute('for') ?? '');
  if (!target) continue;
  field.value = target.getAttribute('shape') ?? '';
  field.addEventListener('change', () => target.setAttribute('shape', field.value));
  // While the field holds no shape, the picture is that of the last one, and looks so.
  field.addEventListener('input', async () => {
    await field.updateComplete;
    target.classList.toggle('stale', field.wrong !== null);
  });
  field.addEventListener('click', () => target.classList.remove('stale'));
}
