/** Default colors, distinguishable in both themes. */
export const LABEL_COLORS = [
  { value: "#2f6fb0", name: "Blue" },
  { value: "#1f8a8a", name: "Teal" },
  { value: "#3b8a4e", name: "Green" },
  { value: "#7d8a2e", name: "Olive" },
  { value: "#b8860b", name: "Ochre" },
  { value: "#c25e1a", name: "Orange" },
  { value: "#c23b3b", name: "Red" },
  { value: "#b8437f", name: "Pink" },
  { value: "#7a56b8", name: "Violet" },
  { value: "#6b7280", name: "Gray" },
] as const;

/** Black or white, whichever has more contrast with the color. */
export function checkColor(color: string): "#000000" | "#ffffff" {
  const light = luminance(color);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** Relative luminance as WCAG defines it, 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
