/** The first `max` code points of the text. */
export function cutCodePoints(text: string, max: number): string {
  let end = 0;
  for (let points = 0; points < max && end < text.length; points++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
