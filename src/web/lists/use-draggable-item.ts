import { useCallback, useState } from "react";
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";

/** What travels with a drag. `kind` keeps cards, reports and lanes apart. */
export type Dragged = { kind: string; id: string; list: string };

/** Makes an element one that can be dragged: `ref={ref}`. `dragging` is true for as long as it is. */
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
        getInitialData: () => ({ kind, id, list }) satisfies Dragged,
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      });
    },
    [kind, id, list, disabled],
  );
  return { ref, dragging };
}
