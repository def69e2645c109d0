import type { Settings } from "./settings.ts";

/** Marks an element as `data-theme="dark"` or `"light"`; with `system`, it follows the system. */
export function followTheme(element: HTMLElement, theme: Settings["theme"]): void {
  if (theme !== "system") {
    element.dataset["theme"] = theme;
    return;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => void (element.dataset["theme"] = dark.matches ? "dark" : "light");
  dark.addEventListener("change", apply);
  apply();
}
