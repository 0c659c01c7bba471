// Tells emcc's linker which functions the host supplies, so that any other unresolved name is an error.
// The functions are declared in src/api/api_host.c and implemented in js/objects/instantiate.js and js/objects/core.js; the bodies here are never used.
mergeInto(LibraryManager.library, {
  hlo_host_custom_call: function () {},
  hlo_host_aborted: function () {},
  hlo_host_now: function () {},
});
