import { useCallback, useState } from "react";
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";

/** The data of a drag. `kind` distinguishes cards, reports and lanes. */
export type Dragged = { kind: string; id: string; list: string };

/** Makes an element draggable, except by a `RowText` in it: `ref={ref}`. `dragging` is true during a drag. */
export function useDraggableItem({
  kind,
  id,
  list = "",
  disabled = false,
}: {
  kind: string;
  id: string;
  list?: string;
  disabled?: boolean;
}) {
  const [dragging, setDragging] = useState(false);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || disabled) return undefined;
      return draggable({
        element,
        // Text of a row is selected instead.
        canDrag: ({ input: { clientX, clientY } }) =>
          !document.elementFromPoint(clientX, clientY)?.closest("[data-row-text]"),
        getInitialData: () => ({ kind, id, list }) satisfies Dragged,
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      });
    },
    [kind, id, list, disabled],
  );
  return { ref, dragging };
}
