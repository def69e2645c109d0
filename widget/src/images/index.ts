import type { Texts } from "../texts/texts.ts";

/** What the form provides for its images. */
export type ImagesHost = {
  /** For style sheets: see `addStyles`. */
  root: ShadowRoot;
  texts: Texts;
  /** Announces something to screen readers. */
  announce(text: string): void;
  /** Hides the form until the promise settles, so that a screenshot shows the page. */
  whileHidden<T>(action: () => Promise<T>): Promise<T>;
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

/** Creates the part of the form that adds, shows and removes images. */
export function createImages(_host: ImagesHost): Images {
  const element = document.createElement("div");
  element.hidden = true;
  return { element, files: () => [], take: () => false, clear: () => {} };
}
