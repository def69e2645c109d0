const FADE_MS = 140;

/**
 * A ref for an element that fades out when it is removed. React removes it at once; a copy without behavior stays in its place
 * for as long as it takes.
 */
export function fadeOut(element: HTMLElement | null) {
  if (element === null) return;
  return () => {
    if (!element.isConnected || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { left, top, width, height } = element.getBoundingClientRect();
    const copy = element.cloneNode(true) as HTMLElement;
    for (const part of [copy, ...copy.querySelectorAll("[id], [name]")]) {
      part.removeAttribute("id");
      part.removeAttribute("name");
    }
    copy.inert = true;
    copy.setAttribute("aria-hidden", "true");
    Object.assign(copy.style, {
      position: "fixed",
      inset: "auto",
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
      margin: "0",
      maxHeight: "none",
      maxWidth: "none",
      animation: "none",
      pointerEvents: "none",
    });
    document.body.append(copy);
    const remove = () => copy.remove();
    copy.animate({ opacity: [1, 0] }, { duration: FADE_MS, fill: "forwards" }).finished.then(remove, remove);
  };
}
