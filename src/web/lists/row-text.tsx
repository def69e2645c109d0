import type { ComponentProps, MouseEvent, PointerEvent } from "react";
import { cx } from "../kit/cx.ts";

/**
 * Text of a row that people wrote or may want to copy. It is above the area of the row's link, so that it can be
 * selected, even in a row that can be dragged; a click on it opens the row. A link around it needs `draggable={false}`.
 */
export function RowText({ className, ...rest }: ComponentProps<"span">) {
  return <span dir="auto" data-row-text {...rest} className={cx("relative z-1 select-text", className)} />;
}

/** Handlers of a row with such texts. */
export const rowTextHandlers = {
  onPointerDown: selectInLink,
  onClickCapture: keepSelection,
  onClick: openByText,
};

/** Browsers start no selection in a link or in what can be dragged. The code that does is loaded when it is needed. */
function selectInLink({ target, button, pointerType, clientX, clientY }: PointerEvent) {
  if (button !== 0 || pointerType !== "mouse" || !(target instanceof Element)) return;
  if (!target.closest(":is(a, [draggable=true]) [data-row-text]")) return;
  void import("./select-from.ts").then(({ selectFrom }) => selectFrom(clientX, clientY)).catch(() => {});
}

/** A click that ends a selection of the row's text does not open the row. Keys cause clicks with `detail` 0. */
function keepSelection(event: MouseEvent<HTMLElement>) {
  const { currentTarget: row, target, detail } = event;
  const isText = target instanceof Element && row.contains(target) && !target.closest("button, input");
  const selection = getSelection();
  const isSelected = (selection?.toString().length ?? 0) > 1 && selection?.containsNode(row, true);
  if (detail === 0 || !isText || !isSelected) return;
  event.preventDefault();
  event.stopPropagation();
}

/** A click on text outside the link is a click on the link. */
function openByText({ currentTarget, target, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>) {
  if (!(target instanceof Element) || !target.closest("[data-row-text]") || target.closest("a, button"))
    return;
  const init = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  currentTarget.querySelector(".row-link")?.dispatchEvent(new globalThis.MouseEvent("click", init));
}
