/** Text limits count Unicode code points. */
export function countCodePoints(text: string): number {
  let points = 0;
  for (let i = 0; i < text.length; i++, points++) if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  return points;
}

/** How many code points are left, once less than a tenth of the limit remains; negative when the text is too long. */
export function roomLeft(text: string, max: number): number | null {
  if (text.length < max * 0.9) return null;
  const left = max - countCodePoints(text);
  return left <= max * 0.1 ? left : null;
}
