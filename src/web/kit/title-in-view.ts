import { store } from "../state/store.ts";

/** Whether the page's title has scrolled away above the window, so that its header shows it instead. */
export const isTitleAway = store(false);

/** A ref of the page's title. */
export function watchTitle(title: HTMLElement | null): (() => void) | undefined {
  if (title === null) return undefined;
  const observer = new IntersectionObserver(
    ([entry]) => entry && isTitleAway.set(!entry.isIntersecting && entry.boundingClientRect.top < 0),
    // The header covers this part.
    { rootMargin: `-${HEADER_PX}px 0px 0px` },
  );
  observer.observe(title);
  return () => {
    observer.disconnect();
    isTitleAway.set(false);
  };
}

const HEADER_PX = 48;
