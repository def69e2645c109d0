/** Opens the field or picker of a part of an issue. Without content, the part is reached through the menu of `button`. */
export type PartOpener = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: HTMLElement | null;
};

/** For buttons that are removed with their part, so that the focus moves to the menu. */
export const REPLACED_BY_MENU = { "data-replaced-by": "add-part" };
