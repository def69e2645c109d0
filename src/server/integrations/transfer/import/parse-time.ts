/** Milliseconds since 1970; NaN if the text is no time. A time without a zone is in UTC, whatever zone the server is in. */
export function parseTime(text: string): number {
  // The name of a zone may follow a blank, but not the "T" of ISO 8601.
  const inUtc = HAS_ZONE.test(text) ? Number.NaN : Date.parse(`${text.replace(/(\d)T(?=\d)/i, "$1 ")} UTC`);
  return Number.isNaN(inUtc) ? Date.parse(text) : inUtc;
}

/** It ends with the name of a zone, an offset after the time of day, or a comment, as in `GMT+0100 (CET)`. */
const HAS_ZONE = /(?:\dz|\b(?:z|utc?|gmt|[ecmp][sd]t)|:\d\d.*[+-]\d\d(?::?\d\d)?|\))\s*$/i;
