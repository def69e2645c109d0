import { z } from "zod";

/** A segment of a source map: from this position on, the code is of this source. Line and column count from 1. */
export type IndexedSegment = { line: number; column: number; source: string | null; name: string | null };

/** Consecutive segments of a line, from `first_column` on. `segments` is JSON. */
export type PositionRow = { line: number; first_column: number; segments: string };

const MAX_SEGMENTS_PER_ROW = 512;

/**
 * The segments in rows of at most 512, each with its own list of texts. Positions without original code are part of it, because they end
 * the segment before them.
 */
export function positionRows(segments: Iterable<IndexedSegment>): PositionRow[] {
  const rows: PositionRow[] = [];
  let row: { line: number; packed: Packed; texts: Map<string, number> } | undefined;
  const finish = () => {
    if (row)
      rows.push({
        line: row.line,
        first_column: row.packed.columns[0] as number,
        segments: JSON.stringify(row.packed),
      });
  };
  for (const { line, column, source, name } of segments) {
    if (row?.line !== line || row.packed.columns.length === MAX_SEGMENTS_PER_ROW) {
      finish();
      row = { line, packed: { columns: [], sources: [], names: [], texts: [] }, texts: new Map() };
    }
    const { packed, texts } = row;
    packed.columns.push(column);
    packed.sources.push(placeOf(source, packed.texts, texts));
    packed.names.push(placeOf(name, packed.texts, texts));
  }
  finish();
  return rows;
}

function placeOf(text: string | null, list: string[], places: Map<string, number>): number {
  if (text === null) return -1;
  let place = places.get(text);
  if (place === undefined) {
    place = list.push(text) - 1;
    places.set(text, place);
  }
  return place;
}

const packedSchema = z.object({
  columns: z.array(z.number()),
  sources: z.array(z.number()),
  names: z.array(z.number()),
  texts: z.array(z.string()),
});
type Packed = z.output<typeof packedSchema>;

/** The original source of a position, and the name of what is at exactly this position. Undefined without original code. */
export function findIndexed(
  segments: string,
  column: number,
): { source: string; name: string | null } | undefined {
  const { columns, sources, names, texts } = packedSchema.parse(JSON.parse(segments));
  const last = columns.findLastIndex((start) => start <= column);
  // Of several segments that begin at the same column, the first one counts.
  const place = columns.indexOf(columns[last] as number);
  const source = texts[sources[place] ?? -1];
  if (source === undefined) return undefined;
  const isExact = columns[place] === column;
  return { source, name: (isExact ? texts[names[place] ?? -1] : undefined) ?? null };
}
