import { store } from "../state/store.ts";
import { stored } from "../state/stored.ts";

/** public/theme.js reads this before the first paint, so that the page does not jump. */
const kept = stored<"narrow" | "wide">(
  "sidebar",
  (value) => (value === "narrow" ? value : undefined),
  "wide",
);

/** Whether the sidebar shows only icons on wide screens. The styles follow `data-sidebar` on <html>. */
export const isSidebarNarrow = store(kept.read() === "narrow");

export function toggleSidebar(): void {
  const isNarrow = !isSidebarNarrow.get();
  isSidebarNarrow.set(isNarrow);
  kept.write(isNarrow ? "narrow" : "wide");
  if (isNarrow) document.documentElement.dataset["sidebar"] = "narrow";
  else delete document.documentElement.dataset["sidebar"];
}
