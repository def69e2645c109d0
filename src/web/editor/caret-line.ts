/** The styles that decide where a text field breaks its lines. */
const COPIED = [
  "boxSizing",
  "direction",
  "fontFamily",
  "fontSize",
  "fontStyle",
  "fontWeight",
  "fontVariantNumeric",
  "letterSpacing",
  "lineHeight",
  "overflowWrap",
  "paddingBlock",
  "paddingInline",
  "tabSize",
  "textAlign",
  "wordBreak",
] as const;

/**
 * Where a position in a text field is in the window: its line, cut to the visible part of the field. Browsers do not tell, so
 * the text is laid out in a hidden copy of the field.
 */
export function caretLine(field: HTMLTextAreaElement, position: number) {
  const style = getComputedStyle(field);
  const copy = document.createElement("div");
  for (const name of COPIED) copy.style[name] = style[name];
  Object.assign(copy.style, {
    borderStyle: "solid",
    borderColor: "transparent",
    borderWidth: style.borderWidth,
    position: "fixed",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    width: `${field.clientWidth + parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth)}px`,
  });
  const caret = document.createElement("span");
  // A mark with the height of a line, which does not break it.
  caret.textContent = "\u200B";
  copy.append(field.value.slice(0, position), caret, field.value.slice(position));
  document.body.append(copy);
  const [at, origin, box] = [caret, copy, field].map((element) => element.getBoundingClientRect()) as [
    DOMRect,
    DOMRect,
    DOMRect,
  ];
  copy.remove();
  const inView = (y: number) => Math.min(Math.max(y, box.top), box.bottom);
  const top = box.top - field.scrollTop - origin.top;
  return {
    left: box.left + at.left - origin.left,
    top: inView(at.top + top),
    bottom: inView(at.bottom + top),
  };
}
