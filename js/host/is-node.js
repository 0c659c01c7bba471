export const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
