// DuckDB's worker without a network: the page hands the engine to it, and nothing else is ever fetched.
const refuse = () => {
  throw new Error("found a request; live pages read nothing but the published file");
};

let engine;
self.addEventListener("message", (event) => {
  if (!event.data?.engine) return;
  engine = event.data.engine;
  event.stopImmediatePropagation();
});
// The engine asks for itself, once.
self.fetch = async () => {
  const given = engine ?? refuse();
  engine = undefined;
  return new Response(given, { headers: { "content-type": "application/wasm" } });
};
self.XMLHttpRequest = class {
  open() {
    refuse();
  }
};
for (const name of ["WebSocket", "EventSource", "WebTransport", "Worker", "importScripts"]) {
  if (name in self) self[name] = refuse;
}

// The page tells errors; here they would be told a second time.
console.log = () => {};

// Required, not imported: imports would run before what stands above.
require("@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js");
