// Reads pasted standings: a table with headings, or a numbered list. Everything else is for the importer and its keeper.

const SEPARATORS = ["\t", ";", ","];
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
// `3`, `3.`, `3rd`, `3e`, `=3`, `T3`, `3=`, `3-4`.
const PLACE =
  /^(?:=|T-?)?([1-9]\d{0,6})(?:st|nd|rd|th|er|[eè]re|è?me|de|ste|[e.ºª°]|\.0+)?(?:=|T|\s?[-–]\s?(\d{1,7})\.?)?$/i;
// `1. Ann Lee`, `2-3. Bob Ray`, `T2. Cy Fox`, `=2 Cy Fox`, `2nd Cy Fox`; `- Di Day` has no place, and `12 players` is no such line.
const LISTED = /^(?![\d–-]*\d\s)((?:=|T-?)?\d+(?:\.?[-–]\d+|[a-zè]{1,3})?=?|[-–])[.)]?\s+(.+)$/i;
// A tie without a full stop, and places beside it: `1 Ann Lee`, `2-3 Bob Ray`.
const [TIED, BESIDE_TIES] = [/^(?:(?:=|T-?)\d+|\d+=)\s/i, /^(\d+(?:[-–]\d+)?)\s+(.+)$/];
// After a name of a list: a nation in brackets, then points.
const SCORED = /[,:;]?\s(?:[-–]\s)?\(?(-?\d+(?:[.,]\d+)*)\s?(\p{L}*)\.?\)?$/u;
const OF_NATION = /\s\(([^()]+)\)$/;
const REFUSED = [
  [/^$/, "has no name"],
  [/\p{C}|^[=+\-@]/u, "has a sign in the name, maybe an invisible one: write it again"],
  [/^.{101}/, "has a name of more than 100 characters"],
  [/\d/, "has a number in the name; points are as in “3. Ann Lee, 112.5 points”"],
];
const DIVIDED = /^[^,]*[^,\s][^,]*,(?!\s*(?:jr|sr|i{1,3}|iv)\.?$)[^,]*[^,\s][^,]*$/i;
// Points that a spreadsheet would run, or with a sign that nobody sees; a number below zero is none.
const UNSAFE = /^(?!-(?:\d+(?:[.,]\d+)?)?$)(?:.*; *)?[=+\-@＝＋－＠]|\p{C}/u;

/** An id of the words of a text: small letters and digits, with hyphens between words. @param {string} text */
export function idOf(text) {
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter])
    .normalize("NFD");
  return plain
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The rows of standings, and what is wrong with which line; the vocabulary has the importer's words for headings and for no place. */
export function readStandings(text, { headings, unplaced, nobodies }) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ line: i + 1, text: line }))
    .filter((line) => line.text.trim() && !/^\s*#[^\t;,]/.test(line.text));
  const faults = [];
  const fault = (line, said) => faults.push({ line, text: said });
  const inTable = SEPARATORS.map((separator) => cellsInTable(lines, separator, headings, fault)).find(Boolean);
  const rows = (inTable ?? cellsInList(lines, headings, fault)).map(({ line, cells }) => {
    const [, place, last] = PLACE.exec(cells.placement) ?? [];
    return { line, cells, place: place ? Number(place) : null, last: last ? Number(last) : Infinity, ...nameOf(cells) };
  });
  const lastPlaced = rows.findLastIndex(({ place }) => place);
  for (const [i, { line, cells, place, last, name, lastName }] of rows.entries()) {
    const isMark = /^[-–—]?$/.test(cells.placement) || unplaced.includes(wordOf(cells.placement.split("(", 1)[0]));
    if (place ? last <= place : !isMark)
      fault(line, `has the place “${cells.placement}”; write a whole number, a tie as “=3”, or “-” for none`);
    if (!cells.placement && i < lastPlaced)
      fault(line, "has no place, above others: repeat that of a tie, or write “-” for none");
    const refused = REFUSED.find(([what]) => what.test(name) || (name && what.test(lastName)));
    if (refused) fault(line, refused[1]);
    else if (!/\p{L}/u.test(lastName)) fault(line, `has the name “${name}”, without a last name`);
    else if (cells.last_name === undefined && name.includes(",") && !DIVIDED.test(name))
      fault(line, `has a comma in “${name}” that does not divide last and first name`);
    else if (nobodies.includes(idOf(name))) fault(line, `has “${name}” in place of a person: leave it out`);
    else if (UNSAFE.test(cells.game_score ?? "")) fault(line, `has the points “${cells.game_score}”; write a number`);
    else if (!idOf(name)) fault(line, `has the name “${name}”; this page needs Latin letters`);
  }
  return { rows, faults: faults.sort((one, other) => one.line - other.line) };
}

/** What is wrong with the places of rows: beyond the number of players, or a tie without room; the importer refuses these. */
export function faultsOfPlaces(rows, players) {
  const placed = rows
    .filter(({ place }) => place)
    .sort((one, other) => one.place - other.place || one.line - other.line);
  if (!placed.length) return [{ text: "Nobody has a place." }];
  if (placed.length > players) return [{ text: `${placed.length} people have a place, but only ${players} played.` }];
  return placed.flatMap(({ line, place }, i) => {
    if (place > players) return [{ line, text: `has place ${place} of ${players}` }];
    // After k people at place p, the next place is at least p + k.
    const tied = placed.filter((other) => other.place === place).length;
    const next = placed[i + 1] ?? { line, place: players + 1 };
    return next.place > place && next.place < place + tied
      ? [{ line: next.line, text: `follows ${tied} people at place ${place}, but leaves no room for them` }]
      : [];
  });
}

function cellsInTable(lines, separator, headings, fault) {
  const cell = new RegExp(`${separator} *(?:"((?:[^"]|"")*)" *(?=${separator}|$)|([^${separator}]*))`, "g");
  const split = ({ text }) =>
    [...(separator + text).matchAll(cell)].map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain).trim());
  const tables = lines.map((line) => split(line).map((text) => headings[wordOf(text)]));
  const head = tables.findIndex(
    (columns) => columns.includes("placement") && columns.some((column) => /name/.test(column)),
  );
  if (head < 0) return null;
  const columns = tables[head];
  // Beside first names, `Name` means last names, and the other way round.
  for (const [one, other] of [
    ["first_name", "last_name"],
    ["last_name", "first_name"],
  ]) {
    if (!columns.includes(one) || columns.includes(other)) continue;
    if (columns.includes("name")) columns[columns.indexOf("name")] = other;
    else fault(lines[head].line, `has no heading for ${other.replace("_", " ")}s`);
  }
  const twice = columns.find((column, i) => column && columns.indexOf(column) < i);
  if (twice) fault(lines[head].line, `has two headings for ${twice.replace("_", " ")}s`);
  return lines
    .slice(head + 1)
    .map((line) => {
      const texts = split(line);
      if (texts.slice(columns.length).some(Boolean))
        fault(line.line, `has ${texts.length} cells below ${columns.length} headings`);
      return { line: line.line, cells: Object.fromEntries(columns.map((column, i) => [column, texts[i] ?? ""])) };
    })
    .filter(({ cells }) => Object.values(cells).some(Boolean));
}

function cellsInList(lines, headings, fault) {
  // Several tabs separate the cells of a table, which needs headings.
  const texts = lines.map(({ text }) => (/\t.*\t/.test(text.trim()) ? "" : text.trim().replace(/\s+/g, " ")));
  const beside = texts.some((text) => TIED.test(text)) ? BESIDE_TIES : LISTED;
  const listed = lines.map(({ line }, i) => ({ line, found: LISTED.exec(texts[i]) ?? beside.exec(texts[i]) }));
  const first = listed.findIndex(({ found }) => found);
  if (first < 0) {
    if (lines.length)
      fault(
        lines[0].line,
        "has no headings such as “Place” and “Name”, and begins no numbered list: write “1. Ann Lee”",
      );
    return [];
  }
  for (const { line } of listed.slice(first).filter(({ found }) => !found))
    fault(line, "is no line of the list: write “3. Ann Lee”, or “- Ann Lee” without a place");
  const places = listed.flatMap(({ found }) => PLACE.exec(found?.[1])?.[1] ?? []);
  const isFalling = Number(places[0]) > Number(places.at(-1));
  if (places.some((place, i) => i && (isFalling ? place - places[i - 1] > 0 : place - places[i - 1] < 0)))
    fault(listed[first].line, "begins places that rise and fall: sort them, and begin a title with “#”");
  return listed
    .filter(({ found }) => found)
    .map(({ line, found: [, placement, text] }) => {
      // `1st place: Ann Lee`.
      const [, label = "", named = ""] = /^([^:]*):\s*(.+)$/.exec(text) ?? [];
      const whole = headings[wordOf(label)] === "placement" ? named : text;
      const [end, score, word] = SCORED.exec(whole) ?? [];
      const isScored = end && (!word || headings[wordOf(word)] === "game_score");
      const name = isScored ? whole.slice(0, -end.length) : whole;
      const [nation = "", code = ""] = OF_NATION.exec(name) ?? [];
      return {
        line,
        cells: {
          placement,
          name: name.slice(0, name.length - nation.length),
          nation_code: code,
          game_score: isScored ? score : "",
        },
      };
    });
}

/** A heading as the importer compares it; one with `#` numbers rows. */
function wordOf(text) {
  return text.includes("#") ? "" : idOf(text.replace("(s)", "s").replaceAll("°", "o")).replaceAll("-", "_");
}

/** The name and its parts, to look people up: the importer splits the name in the file itself. */
function nameOf({ name = "", first_name: first = "", last_name: last }) {
  if (last !== undefined) return { name: `${first} ${last}`.trim(), firstName: first, lastName: last };
  const [before, behind] = name.split(",");
  if (behind) return { name, firstName: behind.trim(), lastName: before };
  const words = name.split(" ");
  // Two capitals in front of other words are initials.
  const capitals = words.filter((word, i) => /\p{Lu}{2}[.'’]?$/u.test(word) && (i || word.length > 2));
  const lasts = capitals.length && capitals.length < words.length ? capitals : words.slice(-1);
  return { name, firstName: words.filter((word) => !lasts.includes(word)).join(" "), lastName: lasts.join(" ") };
}
