import { store, useStore } from "../state/store.ts";
import { stored } from "../state/stored.ts";

export type Density = "comfortable" | "dense";

/** public/theme.js reads this before the first paint. */
const kept = stored<Density>("density", (value) => (value === "dense" ? value : undefined), "comfortable");
const current = store<Density>(kept.read());

/** Applies the density and remembers it on this device, because the same person may use a small and a large screen. */
export function applyDensity(density: Density): void {
  const { dataset } = document.documentElement;
  if (density === "comfortable") delete dataset["density"];
  else dataset["density"] = density;
  kept.write(density);
  current.set(density);
}

export const useDensity = (): Density => useStore(current);

/** The number of text lines in a row. */
export type Lines = 1 | 2;

/** By density and lines; reading a style is slow. */
const heights = new Map<string, number>();

/** The height of a row in pixels, for lists that position their rows themselves. tokens.css defines it. */
export function useRowHeight(lines: Lines): number {
  const key = `${useDensity()} ${lines}`;
  let height = heights.get(key);
  if (height === undefined) {
    height = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(`--row-${lines}`));
    heights.set(key, height);
  }
  return height;
}

/** Two entries for a menu of what is displayed. */
export function useDensityEntries() {
  const density = useDensity();
  return [
    { heading: "Rows" },
    ...DENSITIES.map(({ value, label }) => ({
      label,
      checked: value === density,
      exclusive: true,
      onSelect: () => applyDensity(value),
    })),
  ];
}

export const DENSITIES: readonly { value: Density; label: string; hint: string }[] = [
  { value: "comfortable", label: "Comfortable", hint: "More space between rows." },
  { value: "dense", label: "Dense", hint: "More rows on the screen." },
];
