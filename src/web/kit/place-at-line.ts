const MARGIN = 8;

/**
 * Places a popup below a line of its parent, or above it if there is more room, and limits its height to that room. The room
 * ends at the window and at an ancestor that clips, such as a dialog. The line is in coordinates of the window.
 */
export function placeAtLine(popup: HTMLElement, line: { left: number; top: number; bottom: number }): void {
  const field = popup.parentElement;
  if (field === null) return;
  const area = visibleArea(field);
  const below = area.bottom - line.bottom - MARGIN;
  const above = line.top - area.top - MARGIN;
  const isAbove = popup.scrollHeight > below && above > below;
  const box = field.getBoundingClientRect();
  const { style } = popup;
  style.maxHeight = `${Math.max(isAbove ? above : below, 80)}px`;
  style.top = isAbove ? "auto" : `${line.bottom - box.top}px`;
  style.bottom = isAbove ? `${box.bottom - line.top}px` : "auto";
  style.left = `${Math.max(0, Math.min(line.left - box.left, box.width - popup.offsetWidth))}px`;
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
