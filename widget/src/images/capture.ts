import { h } from "../dom.ts";
import { createCanvas } from "./canvas.ts";
import { findMasks, type Box } from "./masks.ts";

export const canCapture = () => typeof navigator.mediaDevices?.getDisplayMedia === "function";

/** How often the masked elements are located before the screenshot, and how many milliseconds apart. */
const LOOKS = 12;
const LOOK_INTERVAL = 30;

/**
 * Takes a screenshot of what the visitor selects. Masked elements are black. Rejects with
 * `NotAllowedError` if the visitor selects nothing.
 */
export async function capture(
  parent: Element,
  { preferCurrentTab }: { preferCurrentTab: boolean },
): Promise<HTMLCanvasElement> {
  const options = { video: { displaySurface: "browser" }, audio: false, preferCurrentTab };
  const stream = await navigator.mediaDevices.getDisplayMedia(options);
  // Shows the masks on the page as well, because the visitor may have selected its window or the screen.
  const cover = h("div", { class: "masks", popover: "manual", "aria-hidden": "true" });
  try {
    parent.append(cover);
    cover.showPopover?.();
    const video = h("video");
    video.muted = true;
    video.srcObject = stream;
    await video.play();
    const masks = await followMasks(cover);
    const canvas = createCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext("2d")!;
    context.drawImage(video, 0, 0);
    const surface = stream.getVideoTracks()[0]?.getSettings().displaySurface;
    // In other surfaces, the page's position is unknown.
    if (surface !== "window" && surface !== "monitor") blackOut(context, masks);
    return canvas;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    cover.remove();
  }
}

/**
 * Covers the masked elements until the last frame shows them covered, and returns all their places in that time: a frame
 * arrives later than the page was drawn, and the page may scroll. Timers, because animation frames pause in the
 * background.
 */
async function followMasks(cover: HTMLElement): Promise<Box[]> {
  const places: Box[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const masks = findMasks();
    places.push(...masks);
    cover.replaceChildren(...masks.map(coverOf));
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL));
  }
  return [...places, ...findMasks()];
}

function coverOf({ left, top, right, bottom }: Box): HTMLElement {
  const cover = h("div");
  const { style } = cover;
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${right - left}px`;
  style.height = `${bottom - top}px`;
  return cover;
}

/** The screenshot may have more pixels than the viewport, and a part of the viewport if the visitor zoomed in. */
function blackOut(context: CanvasRenderingContext2D, masks: readonly Box[]) {
  const scaleX = context.canvas.width / innerWidth;
  const scaleY = context.canvas.height / innerHeight;
  const { offsetLeft = 0, offsetTop = 0 } = visualViewport ?? {};
  for (const { left, top, right, bottom } of masks) {
    const x = Math.floor((left - offsetLeft) * scaleX) - 1;
    const y = Math.floor((top - offsetTop) * scaleY) - 1;
    const width = Math.ceil((right - offsetLeft) * scaleX) + 1 - x;
    context.fillRect(x, y, width, Math.ceil((bottom - offsetTop) * scaleY) + 1 - y);
  }
}
