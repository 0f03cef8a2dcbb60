// The two ways in which a query ends without an answer.

/** An error to show to the reader, with the position in the query if known. */
export class QueryError extends Error {
  /** @param {string} message @param {number} [position] counted in characters from the start of the query */
  constructor(message, position) {
    super(message);
    this.name = "QueryError";
    this.position = position;
  }
}

/** The reader pressed Cancel. */
export class Cancelled extends Error {}
