import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect } from "react";

/** The distance from an edge at which a drag scrolls a box, and the distance per frame. */
const EDGE_PX = 48;
const STEP_PX = 14;

/** Scrolls lanes vertically and the board horizontally while an item of this kind is dragged near an edge. */
export function useAutoScroll(kind: string) {
  useEffect(() => {
    let frame = 0;
    let point = { clientX: 0, clientY: 0 };
    const step = () => {
      const under = document.elementFromPoint(point.clientX, point.clientY);
      for (let box = under; box !== null; box = box.parentElement) scroll(box, point);
      frame = requestAnimationFrame(step);
    };
    const stop = monitorForElements({
      canMonitor: ({ source }) => source.data["kind"] === kind,
      onDragStart: ({ location }) => {
        point = location.initial.input;
        frame = requestAnimationFrame(step);
      },
      onDrag: ({ location }) => {
        point = location.current.input;
      },
      onDrop: () => cancelAnimationFrame(frame),
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [kind]);
}

function scroll(box: Element, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { overflowX, overflowY } = getComputedStyle(box);
  const edges = box.getBoundingClientRect();
  const scrolls = (value: string) => value === "auto" || value === "scroll";
  if (scrolls(overflowY) && box.scrollHeight > box.clientHeight)
    box.scrollTop += scrollBy(clientY - edges.top, edges.bottom - clientY);
  if (scrolls(overflowX) && box.scrollWidth > box.clientWidth)
    box.scrollLeft += scrollBy(clientX - edges.left, edges.right - clientX);
}

const scrollBy = (fromStart: number, fromEnd: number) =>
  fromStart < EDGE_PX ? -STEP_PX : fromEnd < EDGE_PX ? STEP_PX : 0;
