const { load } = require('webhlo');
const { load: loadWorker } = require('webhlo/worker');
const { report } = require('./program.js');

report({ load, loadWorker }).then((answer) => console.log(JSON.stringify(answer)));
