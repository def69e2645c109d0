import { useSyncExternalStore } from "react";

/** Whether there is room for two things side by side, such as the list and the open item of a `SplitView`. */
export const useSideBySide = () => useSyncExternalStore(watchWidth, () => sideBySide.matches);

/** The breakpoint of `md`. */
const sideBySide = matchMedia("(min-width: 56.25rem)");

function watchWidth(onChange: () => void): () => void {
  sideBySide.addEventListener("change", onChange);
  return () => sideBySide.removeEventListener("change", onChange);
}
