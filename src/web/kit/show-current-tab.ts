/** Scrolls a strip of tabs to the selected one. Only the strip scrolls: it may be far down the page. */
export function showCurrentTab(strip: Element): void {
  const tab = strip.querySelector("[aria-current=page]");
  if (tab === null) return;
  const [box, at] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
  strip.scrollLeft += at.left + at.width / 2 - (box.left + box.width / 2);
}

/** For the router, which gives the elements that stay on the page their earlier scroll positions. */
export const showCurrentTabs = () => document.querySelectorAll("[data-tabs]").forEach(showCurrentTab);
