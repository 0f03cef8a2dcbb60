// Starts the module of a live page, or says why it cannot run. The page's content without scripts stays in both cases.
// This is a separate, classic script: a module would not even start from a disk or in an old browser.
(async () => {
  const place = document.getElementById("live");
  const { root } = document.documentElement.dataset;
  const status = document.getElementById("status");
  const say = (text) => {
    status.textContent = text;
  };
  if (location.protocol === "file:") {
    say(
      "Pages that were opened from the disk cannot read the database. Serve the site with “dptr serve” (or “make serve”), and open this page there.",
    );
    return;
  }
  const isAble =
    typeof WebAssembly === "object" &&
    typeof DecompressionStream === "function" &&
    typeof Worker === "function" &&
    CSS.supports("selector(:has(a))");
  if (!isAble) {
    say(
      "This browser is too old for live pages: they need Chrome or Edge 111, Firefox 121, Safari 16.4, or a later one.",
    );
    return;
  }
  say("Starting …");
  try {
    const given = place.dataset.publication ? await ofFile(place.dataset.publication) : JSON.parse(place.textContent);
    for (const name of ["worker", "engine", "file"]) given[name] = root + given[name];
    window.siteLive = given;
    await import(new URL(root + given.modules[place.dataset.module], document.baseURI).href);
  } catch (error) {
    console.warn(error);
    say(
      "A script of this page could not be read. The site may just be changing, or the connection failed: load the page again.",
    );
  }

  // Each of the many player pages names only its publication; if the site has a newer one, tell the reader.
  async function ofFile(publication) {
    const response = await fetch(`${root}data/live.json`, { cache: "no-store" });
    if (!response.ok) throw new Error(`data/live.json: the server answered ${response.status}`);
    return { ...(await response.json()), publication };
  }
})();
