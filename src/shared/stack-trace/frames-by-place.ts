import type { KeptFrame } from "../kept-events.ts";

type Place = { function: string | null; file: string | null; line: number | null; column: number | null };

/**
 * A function that finds the sent frame at the place of a line of the trace. Both may name it differently: the file with
 * fewer folders, or the method without its class. The calls of a recursive function share a place; each gets its own frame.
 */
export function framesByPlace(sent: readonly KeptFrame[]): (place: Place) => KeptFrame | undefined {
  const places = new Map<string, KeptFrame[]>();
  for (const frame of sent)
    for (const key of new Set(filesOf(frame).map((file) => keyOf(file, frame.line ?? null))))
      places.set(key, [...(places.get(key) ?? []), frame]);
  const taken = new Set<KeptFrame>();
  return (place) => {
    const fitting = (places.get(keyOf(place.file, place.line)) ?? []).filter((frame) => isAt(frame, place));
    const found = fitting.find((frame) => !taken.has(frame)) ?? fitting.at(-1);
    if (found) taken.add(found);
    return found;
  };
}

/** All forms in which a trace may name the file of a frame. */
const filesOf = ({ filename, module, abs_path }: KeptFrame): (string | null)[] => {
  const files = [filename, module, abs_path].filter((file) => file !== undefined);
  return files.length > 0 ? files : [null];
};

const keyOf = (file: string | null, line: number | null) =>
  `${file?.split(/[/\\]/).at(-1) ?? ""}\n${line ?? ""}`;

function isAt(frame: KeptFrame, place: Place): boolean {
  if (!filesOf(frame).some((file) => file === place.file || areSameFile(file ?? "", place.file ?? "")))
    return false;
  // Minified files have one line with many functions, and many of these have the same name.
  if (frame.column !== undefined && place.column !== null && frame.column !== place.column) return false;
  const [sent, written] = [nameOf(frame.function), nameOf(place.function)];
  return (
    sent === "" || written === "" || sent === written || endsWith(sent, written) || endsWith(written, sent)
  );
}

function areSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => file.replaceAll("\\", "/")) as [string, string];
  return a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** `total` of `App\\Cart->total`, `Cart.total` or `shop::total`. */
const endsWith = (whole: string, end: string) =>
  whole.endsWith(end) && /[^\w$]/.test(whole.at(-end.length - 1) ?? "");

/** Without the parts that only some clients write. */
const nameOf = (name: string | null | undefined): string =>
  name === "?" || name === "<anonymous>" || name === "anonymous"
    ? ""
    : (name ?? "").replace(/^(?:async|new) /, "").replace(/^<anonymous>$/, "");
