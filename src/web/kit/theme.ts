import { stored } from "../state/stored.ts";

export type Theme = "system" | "light" | "dark";

/** public/theme.js reads this before the first paint. */
const kept = stored<Theme>(
  "theme",
  (value) => (value === "light" || value === "dark" ? value : undefined),
  "system",
);

/** Applies the theme and remembers it on this device. */
export function applyTheme(theme: Theme): void {
  const { documentElement } = document;
  if (theme === "system") delete documentElement.dataset["theme"];
  else documentElement.dataset["theme"] = theme;
  kept.write(theme);
}
