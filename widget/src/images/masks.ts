/** Where elements are in the viewport, in CSS pixels. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** Passwords, also those that the page currently shows, and what the page marks as private. */
const MASKED = "input[type=password],input[autocomplete$='-password'],[data-signalbox-mask]";

type View = { clip: Box; left: number; top: number; scaleX: number; scaleY: number };

const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
const VIEWPORT: View = { clip: EVERYWHERE, left: 0, top: 0, scaleX: 1, scaleY: 1 };

/** The places of all masked elements, including those in open shadow roots and in frames of the same origin. */
export function findMasks(root: ParentNode = document, view = VIEWPORT): Box[] {
  return [...root.querySelectorAll("*")].flatMap((element) => {
    const boxes = element.matches(MASKED) ? boxesOf(element, view) : [];
    if (element.shadowRoot) boxes.push(...findMasks(element.shadowRoot, view));
    // Null for frames of other origins.
    const content = "contentDocument" in element ? (element as HTMLIFrameElement).contentDocument : null;
    if (content) boxes.push(...findMasks(content, viewOf(element as HTMLIFrameElement, view)));
    return boxes;
  });
}

/** An element's own box, and that of its content, which may be larger or all that it has. */
function boxesOf(element: Element, view: View): Box[] {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return [element, range]
    .map((part) => inViewport(part.getBoundingClientRect(), view))
    .filter(({ left, top, right, bottom }) => left < right && top < bottom);
}

function viewOf(frame: HTMLElement, view: View): View {
  const outside = frame.getBoundingClientRect();
  const style = getComputedStyle(frame);
  // A transform of the page also scales what is in the frame.
  const scaleX = (view.scaleX * outside.width) / (frame.offsetWidth || 1);
  const scaleY = (view.scaleY * outside.height) / (frame.offsetHeight || 1);
  const clip = inViewport(outside, view);
  return {
    clip,
    left:
      view.left + outside.left * view.scaleX + (frame.clientLeft + parseFloat(style.paddingLeft)) * scaleX,
    top: view.top + outside.top * view.scaleY + (frame.clientTop + parseFloat(style.paddingTop)) * scaleY,
    scaleX,
    scaleY,
  };
}

const inViewport = (box: Box, { clip, left, top, scaleX, scaleY }: View): Box => ({
  left: Math.max(clip.left, left + box.left * scaleX),
  top: Math.max(clip.top, top + box.top * scaleY),
  right: Math.min(clip.right, left + box.right * scaleX),
  bottom: Math.min(clip.bottom, top + box.bottom * scaleY),
});
