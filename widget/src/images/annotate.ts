import { h, icon, setAttributes } from "../dom.ts";
import { encode } from "./canvas.ts";
import { drawWithKeys } from "./draw-with-keys.ts";
import { drawWithPointer } from "./draw-with-pointer.ts";
import { Drawing, flatten } from "./drawing.ts";
import type { Texts } from "../texts/texts.ts";
import type { Shape, Tool } from "./shapes.ts";

const ICONS: Record<Tool, string> = {
  rectangle: "M4 5h16v14H4z",
  arrow: "M5 19 19 5M10 5h9v9",
  blackout: "M4 5h16v14H4zM4 8.5h16M4 12h16M4 15.5h16",
};
const UNDO = "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3";
const TOOLS = Object.keys(ICONS) as Tool[];

export type Annotated = { file: Blob; picture: HTMLCanvasElement };

/**
 * Opens a dialog to draw on a picture, which adds to `shapes` and removes from them. Resolves with what is sent from now on, or with
 * undefined if nothing has changed. Closing the dialog in any way keeps the shapes: a black-out must not get lost.
 */
export function annotate(
  texts: Texts,
  parent: Element,
  { picture, shapes, type }: { picture: HTMLCanvasElement; shapes: Shape[]; type: string },
): Promise<Annotated | undefined> {
  const before = [...shapes];
  const drawing = new Drawing(picture, shapes);
  const status = h("p", { role: "status" });
  const announce = (text: string) => void (status.textContent = text.replace("{shape}", texts[drawing.tool]));

  const tools = TOOLS.map((tool) => {
    const button = h("button", { type: "button", class: "button" }, icon(ICONS[tool]), texts[tool]);
    button.addEventListener("click", () => choose(tool));
    return button;
  });
  const undo = h("button", { type: "button", class: "button" }, icon(UNDO), texts.undo);
  const done = h("button", { type: "button", class: "button primary" }, texts.done);
  const help = h("p", { class: "hint", id: "annotator-help" }, texts.drawHint);
  const { canvas } = drawing;
  const role = { role: "application", "aria-label": texts.draw, "aria-describedby": help.id };
  setAttributes(canvas, { tabindex: 0, ...role });
  const dialog = h(
    "dialog",
    { class: "annotator", "aria-label": texts.draw },
    h("div", { class: "tools", role: "toolbar", "aria-label": texts.draw }, ...tools, undo, done),
    h("div", { class: "picture" }, canvas),
    help,
    status,
  );

  function choose(tool: Tool) {
    drawing.tool = tool;
    for (const [n, button] of tools.entries()) button.setAttribute("aria-pressed", String(TOOLS[n] === tool));
  }

  function takeBack() {
    drawing.undo();
    announce(texts.undone);
  }

  choose(drawing.tool);
  drawWithPointer(drawing, () => announce(texts.drawn));
  drawWithKeys(drawing, {
    started: () => announce(texts.drawingStarted),
    finished: () => announce(texts.drawn),
  });
  undo.addEventListener("click", takeBack);
  dialog.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    takeBack();
  });
  parent.append(dialog);
  dialog.showModal();
  return finished(dialog, done, async () => {
    const isChanged = before.length !== shapes.length || before.some((shape, n) => shape !== shapes[n]);
    const changed = flatten(picture, shapes);
    return isChanged ? { file: await encode(changed, type), picture: changed } : undefined;
  });
}

/** Waits until the dialog is closed in any way, and for the result, before it removes the dialog. */
function finished<Result>(
  dialog: HTMLDialogElement,
  done: HTMLButtonElement,
  result: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isFinished = false;
    const finish = async () => {
      if (done.disabled) return;
      done.disabled = true;
      try {
        resolve(await result());
      } catch (error) {
        reject(error);
      }
      isFinished = true;
      dialog.close();
    };
    done.addEventListener("click", () => void finish());
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void finish();
    });
    // Browsers close a dialog on the second Escape. Until the image is encoded, the form must not send the old one.
    dialog.addEventListener("close", () => (isFinished ? dialog.remove() : dialog.showModal()));
  });
}
