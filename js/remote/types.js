// The types of the worker's side of the package, under the names that its entries export.

/** @typedef {import('./objects.js').RemoteInput} RemoteInput */
/** @typedef {import('./objects.js').RemoteResult} RemoteResult */
/** @typedef {import('./objects.js').RemoteRunOptions} RemoteRunOptions */
/** @typedef {import('./objects.js').RemoteTensorTree} RemoteTensorTree */
/** @typedef {import('./runtime.js').RemoteInfeed} RemoteInfeed */
/** @typedef {import('./runtime.js').RemoteOutfeed} RemoteOutfeed */

export {};
