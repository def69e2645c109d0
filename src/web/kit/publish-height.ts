import { observedHeight } from "./observed-height.ts";

/**
 * A ref that keeps the height of an element that stays at the top of the window in a variable of the page, for what is below
 * it. `app.css` lists the variables.
 */
export function publishHeight(variable: "--banner" | "--head") {
  let shown: HTMLElement | null = null;
  return (element: HTMLElement | null) => {
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver((entries) => {
      const height = `${observedHeight(entries)}px`;
      // All elements inherit it, so a change computes the styles of the whole page.
      if (style.getPropertyValue(variable) !== height) style.setProperty(variable, height);
    });
    observer.observe(element);
    shown = element;
    return () => {
      observer.disconnect();
      shown = null;
      // The next page may have such an element in the same commit, mostly of the same height.
      queueMicrotask(() => shown === null && style.removeProperty(variable));
    };
  };
}
