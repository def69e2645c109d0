/**
 * A ref that keeps the height of an element that stays at the top of the window in a variable of the page, for what is below
 * it. `app.css` lists the variables.
 */
export const publishHeight = (variable: "--banner" | "--head") => (element: HTMLElement | null) => {
  if (element === null) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
};
