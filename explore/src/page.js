// What every live page shares: it starts the database, says how far that is and what went wrong, and notices a newer publication.
import { Database } from "./database.js";
import { Cancelled, QueryError } from "./errors.js";

const MEGABYTE = 1_000_000;
// How often an open page asks for a newer publication, in milliseconds; it does so when somebody comes back to it, too.
const LATEST = 300_000;

/** @type {import("./database.js").Given & {words: Record<string, string>}} */
export const given = JSON.parse(document.getElementById("live").textContent);
/** The way from this page to the first one. */
export const root = document.documentElement.dataset.root;

const status = document.getElementById("status");

/**
 * An element with properties and what is in it: elements, or text, which is never markup.
 * @param {string} name @param {Record<string, any>} properties @param {(Node | string)[]} inside
 */
export function element(name, properties = {}, ...inside) {
  const { dataset = {}, ...others } = properties;
  const made = Object.assign(document.createElement(name), others);
  Object.assign(made.dataset, dataset);
  made.append(...inside);
  return made;
}

/** Says how the page is; `kind` is `fault` where something went wrong. @param {string} text @param {string} kind */
export function say(text, kind = "") {
  status.textContent = text;
  status.className = `status ${kind}`;
}

/** Offers a file to be saved. @param {Blob} file @param {string} name */
export function save(file, name) {
  const address = URL.createObjectURL(file);
  element("a", { href: address, download: name }).click();
  setTimeout(URL.revokeObjectURL, 60_000, address);
}

/** Starts the database and tells how far it is. */
export function openDatabase() {
  const database = new Database(given, (bytes) => say(`Reading the database: ${(bytes / MEGABYTE).toFixed(1)} MB …`));
  database.ready.then(() => say("Ready."), (error) => {
    console.warn(error);
    say("The database could not be read. The site may just be changing, or the connection failed: load the page again.", "fault");
  });
  notice();
  setInterval(notice, LATEST);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && notice());
  return database;
}

/**
 * Answers the last of several wishes: those that come while one is answered wait, and only the last of them is answered.
 * @param {() => Promise<void>} answer @returns {() => Promise<void>}
 */
export function lastOf(answer) {
  let isWanted = false;
  let isAnswering = false;
  return async () => {
    isWanted = true;
    if (isAnswering) return;
    isAnswering = true;
    while (isWanted) {
      isWanted = false;
      try {
        await answer();
      } catch (error) {
        if (!isWanted) say(faultOf(error), "fault");
      }
    }
    isAnswering = false;
  };
}

/** Tells the reader of a newer publication; this page stays with its own. */
export async function notice() {
  const place = document.getElementById("newer");
  if (!place.hidden) return;
  try {
    const response = await fetch(new URL(`${root}data/live.json`, document.baseURI), { cache: "no-store" });
    if (!response.ok || (await response.json()).publication === given.publication) return;
  } catch {
    // Without a connection there is nothing newer to be had.
    return;
  }
  const again = element("button", { type: "button", onclick: () => location.reload() }, "Load it");
  place.replaceChildren("The rankings were published again after this page was opened; its answers are those of the earlier publication. ", again);
  place.hidden = false;
}

/** What went wrong with a query, as a sentence. @param {any} error */
export function faultOf(error) {
  if (error instanceof Cancelled) return "Cancelled.";
  if (!(error instanceof QueryError)) return `The database failed (${error?.message || error}): load the page again.`;
  const refused = /https?:|extension|file system operations are disabled|configuration has been locked|read-only mode/i;
  const why = refused.test(error.message) ? "\nThis page reads the published file and nothing else: no files, no addresses, no extensions." : "";
  return error.message + why;
}
