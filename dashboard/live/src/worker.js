// DuckDB's worker without a network: the page passes the engine to it, and it fetches nothing else.
const refuse = () => {
  throw new Error("found a request; live pages read nothing but the published file");
};

let engine;
self.addEventListener("message", (event) => {
  if (!event.data?.engine) return;
  engine = event.data.engine;
  event.stopImmediatePropagation();
});
// The engine requests itself, once.
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

// The page shows errors; without this they would appear twice.
console.log = () => {};

// `require`, not `import`: imports would run before the code above.
require("@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js");
