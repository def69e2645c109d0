import { useCallback, useState } from "react";

/** The element's width in pixels, updated as it changes; `guess` until it is measured. */
export function useWidth(guess: number): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(guess);
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(measured);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [observe, width];
}
