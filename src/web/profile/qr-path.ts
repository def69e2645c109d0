/** The dark modules as one SVG path, one unit each, with a stroke for every run in a row. */
export function qrPath({ size, data }: { size: number; data: ArrayLike<number> }): string {
  let path = "";
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      const from = x;
      while (x < size && data[y * size + x]) x++;
      path += `M${from} ${y}h${x - from}v1h-${x - from}z`;
    }
  return path;
}
