/**
 * While the element has the focus and is in view, scrolls with what is inserted before it, so that it stays in view. Returns
 * how to stop.
 */
export function keepInView(element: HTMLElement): () => void {
  let isInView = true;
  // Called after layout changes were observed, so it still says what was the case before.
  const view = new IntersectionObserver(([entry]) => {
    if (entry) isInView = entry.isIntersecting;
  });
  const sizes = new ResizeObserver(() => {
    if (isInView && document.activeElement === element) element.scrollIntoView({ block: "nearest" });
  });
  view.observe(element);
  // A box that scrolls keeps its size, unlike what is before the element in it.
  for (let box: Element | null = element; box !== null && box.id !== "main"; box = box.parentElement)
    if (box.previousElementSibling) sizes.observe(box.previousElementSibling);
  return () => {
    view.disconnect();
    sizes.disconnect();
  };
}
