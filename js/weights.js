// webhlo/weights: the code behind hlo.weights, which webhlo otherwise imports when it is first used. Service workers can import nothing then.

import { provideWeightLoader } from './objects/weight-loader.js';
import { loadWeights } from './weights/load.js';

provideWeightLoader(loadWeights);
