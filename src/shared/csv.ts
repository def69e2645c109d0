/** One line of a CSV file (RFC 4180). Lists and objects are JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(",")}\r\n`;

/** Spreadsheets run a cell that begins with one of these characters as a formula. An apostrophe makes it text. */
const FORMULA = /^[=+\-@|\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

function cell(value: unknown): string {
  const text = textOf(value);
  const prefix = FORMULA.test(text) && !NUMBER.test(text) ? "'" : "";
  return `"${prefix}${text.replaceAll('"', '""')}"`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
