/** Whether something is dragged, or a menu is open: what is under the pointer must not move. */
export const isHeld = (): boolean =>
  document.querySelector("[data-dragging], [role=menu], [role=listbox]") !== null;
