export type Theme = "system" | "light" | "dark";

/** Applies the theme and remembers it on this device, where the page reads it before its first paint. */
export function applyTheme(theme: Theme): void {
  const { documentElement } = document;
  if (theme === "system") delete documentElement.dataset["theme"];
  else documentElement.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Storage is closed: it holds for this page.
  }
}
