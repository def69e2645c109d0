const MARGIN = 8;

/**
 * Moves a popup that is below its parent to above it if there is more room, and limits its height to that room. The
 * room ends at the window and at an ancestor that clips, such as a dialog. The popup's classes place it by `data-above`.
 */
export function flipIntoView(popup: HTMLElement): void {
  const field = popup.parentElement;
  if (field === null) return;
  const area = visibleArea(field);
  const { top, bottom } = field.getBoundingClientRect();
  const below = area.bottom - bottom - MARGIN;
  const above = top - area.top - MARGIN;
  const isAbove = popup.scrollHeight > below && above > below;
  popup.toggleAttribute("data-above", isAbove);
  popup.style.maxHeight = `${Math.max(isAbove ? above : below, 80)}px`;
}

function visibleArea(element: HTMLElement) {
  // Without the part that a phone's keyboard covers.
  let area = { top: 0, bottom: visualViewport?.height ?? innerHeight };
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent === document.body || getComputedStyle(parent).overflowY === "visible") continue;
    const { top, bottom } = parent.getBoundingClientRect();
    area = { top: Math.max(area.top, top), bottom: Math.min(area.bottom, bottom) };
  }
  return area;
}
