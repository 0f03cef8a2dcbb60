// The published database in a worker of this page; it starts, answers queries, and can be interrupted.
import { AsyncDuckDB, VoidLogger } from "@duckdb/duckdb-wasm";
import { Cancelled, QueryError } from "./errors.js";
import { plainValue, kindOf } from "./values.js";

/**
 * What the site tells its live pages.
 * @typedef {{modules: Record<string, string>, worker: string, engine: string, file: string, publication: string, bytes: number}} Given
 * @typedef {{name: string, kind: import("./values.js").Kind, type: string}} Column
 * @typedef {{columns: Column[], rows: any[][], isCut: boolean, milliseconds: number}} Answer
 */

// Run before the reader's SQL: no files, no network, no extensions, and no way to allow them. Functions need no schema, as views, of
// which those of the default schema come first.
const SETTINGS = [
  "attach 'published' as rankings (read_only)",
  "set search_path = 'rankings.main,rankings.marts'",
  "set errors_as_json = true",
  "set autoinstall_known_extensions = false",
  "set autoload_known_extensions = false",
  "set enable_external_access = false",
  "set lock_configuration = true",
];
// One statement that only reads. Anything else may leave a view, a setting or an open transaction; comments could hide what it is.
const READS = /^[\s(]*(select|from|with|values|describe|summarize|show)\b[^;]*;?\s*$/i;
// Time in milliseconds for a cancelled query to stop before the worker is terminated.
const PATIENCE = 1000;

export class Database {
  #given;
  #parts;
  #worker;
  #engine;
  #starting;
  #last = Promise.resolve();

  /**
   * @param {Given} given
   * @param {(bytes: number) => void} onProgress called with the number of bytes that have arrived
   */
  constructor(given, onProgress = () => {}) {
    this.#given = given;
    this.#parts = this.#download(onProgress);
    this.#starting = this.#start();
    this.#starting.catch(() => {});
  }

  /** Resolves when the database is ready; rejects when it cannot be read. */
  get ready() {
    return this.#starting;
  }

  /**
   * Runs a query after all earlier ones, and returns at most `limit` rows. Values replace each `?` in the query; `signal` interrupts it.
   * With `isTakenBack`, whatever it makes, such as a temporary view, is gone before the next query.
   * @param {string} sql
   * @param {{values?: any[], limit?: number, signal?: AbortSignal, isTakenBack?: boolean}} [options]
   * @returns {Promise<Answer>}
   */
  query(sql, { values = [], limit = Infinity, signal = undefined, isTakenBack = false } = {}) {
    // Queries run one after the other: a connection has one answer at a time.
    const answer = this.#last.then(() => this.#answer(sql, values, limit, signal, isTakenBack));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #answer(sql, values, limit, signal, isTakenBack) {
    // Here the engine would silently do nothing.
    if (/^\s*(force\s+)?install\s/i.test(sql)) throw new QueryError("Installing extensions is not possible here.");
    if (isEmpty(sql)) throw new QueryError("There is no question: write a statement in SQL.");
    const connection = await this.#starting;
    if (signal?.aborted) throw new Cancelled();
    const started = performance.now();
    const interrupted = new Promise((_, failed) => {
      signal?.addEventListener("abort", () => failed(new Cancelled()));
    });
    // The engine starts anew: no command of SQL makes a connection forget everything.
    let isSpoilt = isTakenBack && !READS.test(sql);
    const asked = this.#rows(connection, sql, values, limit);
    asked.catch(() => {});
    try {
      const answer = await Promise.race([asked, interrupted]);
      return { ...answer, milliseconds: performance.now() - started };
    } catch (error) {
      if (!(error instanceof Cancelled)) {
        const fault = explained(error, sql);
        if (fault) throw fault;
        isSpoilt = true;
        throw new QueryError(
          "The database failed: the question may need more memory than a browser gives. It is starting again.",
        );
      }
      connection.cancelSent().catch(() => {});
      const stopped = await Promise.race([
        asked.then(
          () => true,
          () => true,
        ),
        new Promise((done) => setTimeout(done, PATIENCE, false)),
      ]);
      isSpoilt ||= !stopped;
      throw error;
    } finally {
      if (isSpoilt) this.#restart();
    }
  }

  async #rows(connection, sql, values, limit) {
    const statement = values.length ? await connection.prepare(sql) : null;
    try {
      const reader = await (statement ? statement.send(...values) : connection.send(sql, true));
      await reader.open();
      const { fields } = reader.schema;
      const rows = [];
      let isCut = false;
      for await (const batch of reader) {
        const columns = fields.map((field, i) => [batch.getChildAt(i), field.type]);
        for (let row = 0; row < batch.numRows; row += 1) {
          if (rows.length === limit) {
            isCut = true;
            break;
          }
          rows.push(columns.map(([column, type]) => shown(column, row, type)));
        }
        if (isCut) break;
      }
      if (isCut && !statement) await connection.cancelSent();
      const columns = fields.map(({ name, type }) => ({ name, type: String(type), kind: kindOf(type) }));
      return { columns, rows, isCut };
    } finally {
      await statement?.close();
    }
  }

  async #download(onProgress) {
    const { worker, engine, file } = this.#given;
    const others = new AbortController();
    let all = 0;
    const counted = (bytes) => {
      all += bytes;
      onProgress(all);
    };
    try {
      const [script, packedEngine, packedFile] = await Promise.all(
        [worker, engine, file].map((address) => download(address, others.signal, counted)),
      );
      return { script, packedEngine, packedFile };
    } catch (error) {
      others.abort();
      throw error;
    }
  }

  async #start() {
    const { script, packedEngine, packedFile } = await this.#parts;
    const [engine, file] = await Promise.all([unpacked(packedEngine, 0, "\0asm"), unpacked(packedFile, 8, "DUCK")]);
    // A worker from an address would have its own security policy. A worker from a blob has that of the page: no other origin.
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.postMessage({ engine });
    const database = new AsyncDuckDB(new VoidLogger(), this.#worker);
    await database.instantiate(new URL(this.#given.engine, document.baseURI).href);
    URL.revokeObjectURL(address);
    await database.open({ query: { queryPollingInterval: 50 }, opfs: { fileHandling: "manual" } });
    await database.registerFileBuffer("published", new Uint8Array(await file.arrayBuffer()));
    const connection = await database.connect();
    for (const setting of SETTINGS) await connection.query(setting);
    this.#engine = database;
    return connection;
  }

  #restart() {
    this.#worker.terminate();
    this.#engine.detach();
    this.#starting = this.#start();
    this.#starting.catch(() => {});
  }
}

/**
 * @param {string} address
 * @param {AbortSignal} signal
 * @param {(bytes: number) => void} onBytes
 * @returns {Promise<Blob>}
 */
async function download(address, signal, onBytes) {
  const response = await fetch(new URL(address, document.baseURI), { signal });
  if (!response.ok) throw new Error(`${address}: the server answered ${response.status}`);
  const parts = [];
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value);
    onBytes(value.length);
  }
}

/**
 * Unpacks gzip, unless the server has unpacked it already. Some servers answer with a page instead of a missing file: refuse it.
 * @param {Blob} blob @param {number} start the place of the mark of its format @param {string} mark
 */
async function unpacked(blob, start, mark) {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const plain = isPacked ? await new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : blob;
  if ((await plain.slice(start, start + mark.length).text()) !== mark)
    throw new Error(`found another file; expected one marked ${mark.trim()}`);
  return plain;
}

/** Whether a text is only comments, semicolons and blanks; the engine would end. @param {string} sql */
function isEmpty(sql) {
  return !sql.replace(/--[^\n]*|\/\*.*?\*\//gs, "").replace(/[\s;]/g, "");
}

function shown(column, row, type) {
  try {
    return plainValue(column.get(row), type);
  } catch (error) {
    if (error instanceof QueryError) throw error;
    throw new QueryError("A value cannot be shown here; cast it to text: cast(... as varchar).");
  }
}

// Advice on extensions, which cannot be installed here.
const ADVICE = /\n\nPlease try installing.*/s;

/** DuckDB's error as a sentence and a position, which DuckDB counts in bytes of UTF-8; null if the engine itself failed. */
function explained(error, sql) {
  if (error instanceof QueryError) return error;
  let said;
  try {
    said = JSON.parse(error.message);
    // An error of the parser comes within another one.
    while (said.exception_message.startsWith("{")) said = JSON.parse(said.exception_message);
  } catch {
    return null;
  }
  if (/^(INTERNAL|FATAL)$/i.test(said.exception_type)) return null;
  const message = `${said.exception_type} error: ${said.exception_message.replace(ADVICE, "")}`;
  if (said.position === undefined) return new QueryError(message);
  const before = new TextEncoder().encode(sql).slice(0, Number(said.position));
  return new QueryError(message, new TextDecoder().decode(before).length);
}
