import type { MouseEvent } from "react";
import { sourceOffset } from "./source-offset.ts";

/**
 * Begins editing when a shown text is clicked, with the caret where the click was. Links keep their clicks, and selecting
 * text does not begin editing.
 */
export function editOnClick(source: string, begin: (caret: number) => void) {
  return (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.button !== 0 || target.closest(CONTROLS) !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    begin(caretOf(event, source));
  };
}

const CONTROLS = "a, button, input, label, summary, select, textarea";

function caretOf({ clientX, clientY, detail }: MouseEvent, source: string): number {
  // A screen reader's click has no position.
  const place = detail === 0 ? null : document.caretPositionFromPoint?.(clientX, clientY);
  const node = place?.offsetNode;
  return node instanceof Text ? sourceOffset(source, node.data, place?.offset ?? 0) : source.length;
}
