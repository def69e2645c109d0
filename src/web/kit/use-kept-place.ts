import { type RefObject, useEffect } from "react";

/** While the element has the focus, scrolls by what is inserted above it, so that it stays where it is in the window. */
export function useKeptPlace(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    let top: number | undefined;
    const remember = () => {
      top = element.contains(document.activeElement) ? element.getBoundingClientRect().top : undefined;
    };
    const observer = new ResizeObserver(() => {
      const before = top;
      remember();
      if (before === undefined || top === undefined || top === before) return;
      window.scrollBy({ top: top - before, behavior: "instant" });
      remember();
    });
    observer.observe(document.getElementById("main") ?? document.body);
    element.addEventListener("focusin", remember);
    window.addEventListener("scroll", remember, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("focusin", remember);
      window.removeEventListener("scroll", remember);
    };
  }, [ref]);
}
