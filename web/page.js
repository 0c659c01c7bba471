// Every page of the documentation: its elements, and its state in the address.
import './elements/index.js';
import { linkState } from './linked-state.js';

linkState(document);
