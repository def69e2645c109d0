import { useSyncExternalStore } from "react";

/** Whether a `SplitView` shows the list and its open item side by side. */
export const useSideBySide = () => useSyncExternalStore(watchWidth, () => sideBySide.matches);

/** The breakpoint of `md`. */
const sideBySide = matchMedia("(min-width: 56.25rem)");

function watchWidth(onChange: () => void): () => void {
  sideBySide.addEventListener("change", onChange);
  return () => sideBySide.removeEventListener("change", onChange);
}
