/** How many characters before the click are compared when the source has marks within the shown text. */
const NEAR = 12;

/** The place in Markdown that corresponds to an offset in a shown piece of it; the end if it cannot be found. */
export function sourceOffset(source: string, shown: string, offset: number): number {
  const whole = source.indexOf(shown);
  if (whole !== -1) return whole + offset;
  const before = shown.slice(Math.max(0, offset - NEAR), offset);
  const near = before.trim() === "" ? -1 : source.indexOf(before);
  return near === -1 ? source.length : near + before.length;
}
