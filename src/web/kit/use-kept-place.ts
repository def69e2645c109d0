import { type RefObject, useEffect } from "react";

/**
 * While the element has the focus and is in view, scrolls by what is inserted above it, so that it stays where it is in the
 * window. A person who has scrolled away from it stays where they are.
 */
export function useKeptPlace(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    let top: number | undefined;
    const remember = () => {
      const box = element.getBoundingClientRect();
      const isInView = box.bottom > 0 && box.top < window.innerHeight;
      top = isInView && element.contains(document.activeElement) ? box.top : undefined;
    };
    const observer = new ResizeObserver(() => {
      const before = top;
      const isFocused = element.contains(document.activeElement);
      if (before !== undefined && isFocused)
        window.scrollBy({ top: element.getBoundingClientRect().top - before, behavior: "instant" });
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
