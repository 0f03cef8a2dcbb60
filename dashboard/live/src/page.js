// Shared by all live pages: starts the database, shows progress and errors, and notices a newer publication.
import { Database } from "./database.js";
import { Cancelled, QueryError } from "./errors.js";

const MEGABYTE = 1_000_000;
// Interval in milliseconds between checks for a newer publication. The page also checks when the reader returns to it.
const LATEST = 300_000;

/** @type {import("./database.js").Given & {words: Record<string, string>}} */
export const given = window.siteLive;
/** The relative path from this page to the site's root. */
export const root = document.documentElement.dataset.root;

const status = document.getElementById("status");

/**
 * Creates an element with properties and children: elements, or text, which is never markup.
 * @param {string} name @param {Record<string, any>} properties @param {(Node | string)[]} inside
 */
export function element(name, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}

/** Capitalizes a word. @param {string} word */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Shows the state of the page; `kind` is `fault` for an error. @param {string} text @param {string} kind */
export function say(text, kind = "") {
  status.textContent = text;
  status.className = `status ${kind}`;
}

/** Offers a file for download. @param {Blob} file @param {string} name */
export function save(file, name) {
  const address = URL.createObjectURL(file);
  element("a", { href: address, download: name }).click();
  setTimeout(URL.revokeObjectURL, 60_000, address);
}

/** Starts the database and shows its progress. */
export function openDatabase() {
  // A server that unpacks files sends more bytes than they have.
  const share = (bytes) =>
    `${(Math.min(bytes, given.bytes) / MEGABYTE).toFixed(1)} of ${(given.bytes / MEGABYTE).toFixed(1)} MB`;
  const database = new Database(given, (bytes) => say(`Reading the database: ${share(bytes)} …`));
  database.ready.then(
    () => say("Reading the tables …"),
    (error) => {
      console.warn(error);
      say(
        "The database could not be read. The site may just be changing, or the connection failed: load the page again.",
        "fault",
      );
    },
  );
  notice();
  setInterval(notice, LATEST);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && notice());
  return database;
}

/**
 * Serves only the latest of several requests: those that come while one runs wait, and only the last of them runs next.
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

/** Tells the reader about a newer publication; this page keeps its own. */
export async function notice() {
  const place = document.getElementById("newer");
  if (!place.hidden) return;
  try {
    const response = await fetch(new URL(`${root}data/live.json`, document.baseURI), { cache: "no-store" });
    if (!response.ok || (await response.json()).publication === given.publication) return;
  } catch {
    // Offline: no newer publication is available.
    return;
  }
  const again = element("button", { type: "button", onclick: () => location.reload() }, "Load it");
  place.replaceChildren(
    "The rankings were published again after this page was opened; it shows an earlier publication. ",
    again,
  );
  place.hidden = false;
}

/** Describes the failure of a query in a sentence. @param {any} error */
export function faultOf(error) {
  if (error instanceof Cancelled) return "Cancelled.";
  if (!(error instanceof QueryError)) return `The database failed (${error?.message || error}): load the page again.`;
  const refused = /https?:|extension|file system operations are disabled|configuration has been locked|read-only mode/i;
  const why = refused.test(error.message)
    ? "\nThis page reads the published file and nothing else: no files, no addresses, no extensions."
    : "";
  return error.message + why;
}
