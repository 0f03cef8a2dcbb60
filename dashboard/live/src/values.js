// Values of answers: as plain JavaScript values, and as text in DuckDB's format.
import { Type } from "apache-arrow";
import { QueryError } from "./errors.js";

/** @typedef {"number" | "boolean" | "day" | "time" | "text"} Kind */

// As on the terminal; CSV has every digit.
const DECIMALS = 4;
const SMALLEST = 10 ** -DECIMALS;
const NUMBERS = new Set([Type.Int, Type.Float, Type.Decimal]);

/** @param {import("apache-arrow").DataType} type @returns {Kind} */
export function kindOf(type) {
  if (NUMBERS.has(type.typeId)) return "number";
  if (type.typeId === Type.Bool) return "boolean";
  if (type.typeId === Type.Date) return "day";
  if (type.typeId === Type.Timestamp) return "time";
  return "text";
}

/**
 * Converts a value to a number, a text, a boolean or null. A number beyond JavaScript's precision becomes a text with all its digits.
 * @param {any} value @param {import("apache-arrow").DataType} type
 */
export function plainValue(value, type) {
  if (value === null || value === undefined) return null;
  switch (type.typeId) {
    case Type.Int:
      return typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case Type.Float:
    case Type.Bool:
      return value;
    case Type.Decimal:
      return decimal(value, type.scale);
    case Type.Date:
      return instant(value, 10);
    case Type.Timestamp:
      return instant(value, 23);
    case Type.Time:
      return new Date(Number(BigInt(value) / 1000n)).toISOString().slice(11, 19);
    case Type.Interval:
      throw new QueryError("An interval cannot be shown here; cast it to text: cast(... as varchar).");
    case Type.List:
    case Type.FixedSizeList:
      return `[${[...value].map((one) => nested(one, type.children[0].type)).join(", ")}]`;
    case Type.Struct:
      return `{${type.children.map((child) => `'${child.name}': ${nested(value[child.name], child.type)}`).join(", ")}}`;
    case Type.Map: {
      const [key, of] = type.children[0].type.children;
      return `{${[...value].map(([name, one]) => `${nested(name, key.type)}=${nested(one, of.type)}`).join(", ")}}`;
    }
    default:
      return String(value);
  }
}

/** Formats a value as DuckDB does. @param {any} value @param {Column} column */
export function textOf(value, { type }) {
  if (value === null) return "";
  if (typeof value === "number" && type.startsWith("Float")) return double(value);
  return String(value);
}

/**
 * The number of decimals with which a table shows a column: as many as its numbers have, but at most four.
 * @param {any[]} values @param {Column} column
 */
export function decimalsOf(values, { type }) {
  if (!type.startsWith("Float")) return 0;
  const counts = values.map((value) => String(value).split(".")[1]?.length ?? 1);
  return Math.min(DECIMALS, Math.max(1, ...counts));
}

/** Formats a value for a table; a number too small for the decimals has all its digits. */
export function shortText(value, column, decimals) {
  const isRounded = decimals && Number.isFinite(value) && (value === 0 || Math.abs(value) >= SMALLEST);
  return isRounded ? value.toFixed(decimals) : textOf(value, column);
}

function nested(value, type) {
  const plain = plainValue(value, type);
  if (plain === null) return "NULL";
  return typeof plain === "number" && type.typeId === Type.Float ? double(plain) : String(plain);
}

function double(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return `${value}.0`;
  return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** Converts 32-bit parts, lowest first, in two's complement. */
function decimal(parts, scale) {
  let whole = 0n;
  for (let i = parts.length - 1; i >= 0; i -= 1) whole = (whole << 32n) | BigInt(parts[i]);
  whole = BigInt.asIntN(parts.length * 32, whole);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  const text = (whole < 0n ? "-" : "") + (scale ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits);
  return scale === 0 && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function instant(value, length) {
  const date = new Date(Number(value));
  if (Number.isNaN(date.getTime())) return value > 0 ? "infinity" : "-infinity";
  return date
    .toISOString()
    .slice(0, length)
    .replace("T", " ")
    .replace(/\.000$/, "");
}
