/** How many Unicode code points a text has, which is what its limit counts. */
export function countCodePoints(text: string): number {
  let points = 0;
  for (let i = 0; i < text.length; i++, points++) if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  return points;
}

/** What to say about the room left: nothing until a tenth of it is left; negative when it is too long. */
export function roomLeft(text: string, max: number): number | null {
  if (text.length < max * 0.9) return null;
  const left = max - countCodePoints(text);
  return left <= max * 0.1 ? left : null;
}
