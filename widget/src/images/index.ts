import { addStyles, h, icon, setAttributes } from "../dom.ts";
import type { Texts } from "../texts/texts.ts";
import { canCapture, capture } from "./capture.ts";
import { encode, fitFile, readImage } from "./canvas.ts";
import css from "./images.css";
import { drawPreview } from "./preview.ts";
import type { Shape } from "./shapes.ts";

/** What the form provides for its images. */
export type ImagesHost = {
  /** For style sheets: see `addStyles`. */
  root: ShadowRoot;
  texts: Texts;
  /** Announces something to screen readers. */
  announce(text: string): void;
  /**
   * Hides the form until the promise settles, so that a screenshot shows the page. Without it, the form is the page, and visitors
   * take screenshots of others.
   */
  whileHidden?<T>(action: () => Promise<T>): Promise<T>;
};

export type Images = {
  /** The field with its buttons and previews. */
  element: HTMLElement;
  /** What is sent, in the order in which it is shown. The same image is the same object until it is changed. */
  files(): Blob[];
  /** Takes images from a paste or drop anywhere in the form. Returns whether there were any. */
  take(data: DataTransfer): boolean;
  /** Removes all images, after they have been sent. */
  clear(): void;
};

type Image = {
  /** What is sent. */
  file: Blob;
  /** What was added. */
  original: Blob;
  shapes: Shape[];
  preview: HTMLCanvasElement;
};

const MAX_IMAGES = 5;

/** Creates the part of the form that adds, shows and removes images. */
export function createImages({ root, texts, announce, whileHidden }: ImagesHost): Images {
  addStyles(root, css);
  let images: Image[] = [];
  const list = h("ul", { class: "shots" });
  const problem = h("p", { class: "error" });
  const input = h("input", { type: "file", accept: "image/*", multiple: true, hidden: true, tabindex: -1 });
  const add = button(texts.addImages, ADD, () => input.click());
  const shoot = button(texts.capture, CAMERA, () => void takeScreenshot());
  const element = h(
    "div",
    { class: "field", role: "group", "aria-labelledby": "images-label", "aria-describedby": "images-hint" },
    h("p", { id: "images-label", class: "label" }, texts.images),
    list,
    problem,
    h("div", { class: "choices" }, ...(canCapture() ? [shoot] : []), add, input),
    h("p", { id: "images-hint", class: "hint" }, texts.imagesHint),
  );
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    void addFiles(files);
  });
  show();

  async function addFiles(files: File[]) {
    report("");
    for (const file of files) {
      try {
        const picture = await readImage(file);
        addImage(await fitFile(file, picture), picture);
      } catch (error) {
        report(error instanceof RangeError ? texts.imageTooLarge : texts.notAnImage);
      }
    }
  }

  async function takeScreenshot() {
    report("");
    try {
      const addScreenshot = async () => {
        const picture = await capture(parentOf(element), { preferCurrentTab: whileHidden !== undefined });
        addImage(await encode(picture), picture);
      };
      await (whileHidden ? whileHidden(addScreenshot) : addScreenshot());
    } catch (error) {
      // The visitor decided against it.
      if ((error as Error).name !== "NotAllowedError") report(texts.captureFailed);
    }
  }

  function addImage(file: Blob, picture: HTMLCanvasElement) {
    if (images.length >= MAX_IMAGES) return report(texts.tooManyImages);
    images.push({ file, original: file, shapes: [], preview: drawPreview(picture) });
    show();
    announce(numbered(texts.imageAdded, images.length));
  }

  async function edit(image: Image) {
    try {
      const { annotate } = await import("./annotate.ts");
      const { original, shapes } = image;
      const picture = await readImage(original);
      const changed = await annotate(texts, parentOf(element), { picture, shapes, type: original.type });
      if (!changed) return;
      image.file = shapes.length > 0 ? changed.file : original;
      const preview = drawPreview(changed.picture);
      labelPreview(preview, images.indexOf(image));
      image.preview.replaceWith(preview);
      image.preview = preview;
    } catch (error) {
      // What was to be covered must not be sent.
      if (image.shapes.length > 0) remove(image);
      report(error instanceof RangeError ? texts.imageTooLarge : texts.drawingFailed);
    }
  }

  function remove(image: Image) {
    const at = images.indexOf(image);
    images = images.filter((other) => other !== image);
    show();
    announce(numbered(texts.imageRemoved, at + 1));
    const next = list.children[Math.min(at, images.length - 1)] ?? element;
    next.querySelector<HTMLElement>("button:last-of-type")?.focus();
  }

  function show() {
    list.hidden = images.length === 0;
    list.replaceChildren(
      ...images.map((image, at) => {
        labelPreview(image.preview, at);
        return h(
          "li",
          {},
          image.preview,
          button(undefined, PEN, () => void edit(image), numbered(texts.drawOn, at + 1)),
          button(undefined, CROSS, () => remove(image), numbered(texts.removeImage, at + 1)),
        );
      }),
    );
  }

  const labelPreview = (preview: HTMLElement, at: number) =>
    setAttributes(preview, { role: "img", "aria-label": numbered(texts.image, at + 1) });

  function report(message: string) {
    problem.textContent = message;
    if (message !== "") announce(message);
  }

  return {
    element,
    files: () => images.map(({ file }) => file),
    take(data) {
      const files = [...data.files].filter(({ type }) => type.startsWith("image/"));
      // Copied cells and paragraphs are text that has a picture, too.
      if (files.length === 0 || (data.types.includes("text/plain") && data.types.includes("text/rtf")))
        return false;
      void addFiles(files);
      return true;
    },
    clear() {
      images = [];
      show();
      report("");
    },
  };
}

const ADD = "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4";
const CAMERA = "M3 8h4l2-3h6l2 3h4v11H3zM9 13a3 3 0 1 0 6 0 3 3 0 1 0-6 0";
const PEN = "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3";
const CROSS = "M6 6l12 12M18 6L6 18";

/** A button with a text, or with an icon only and a label for screen readers. */
function button(text: string | undefined, path: string, onClick: () => void, label?: string) {
  const shape = text === undefined ? "button icon" : "button";
  const element = h(
    "button",
    { class: shape, type: "button", "aria-label": label, title: label },
    icon(path),
    text,
  );
  element.addEventListener("click", onClick);
  return element;
}

/** Where the tokens of the theme apply. */
const parentOf = (element: HTMLElement) => element.closest(".root") ?? element;

const numbered = (text: string, n: number) => text.replace("{n}", String(n));
