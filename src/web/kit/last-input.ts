let last = "";

addEventListener("pointerdown", ({ pointerType }) => (last = pointerType), { capture: true, passive: true });
addEventListener("keydown", () => (last = "keyboard"), { capture: true, passive: true });

/** Whether the user last tapped, so that focusing a text field would open the keyboard of the device. */
export const isTouched = (): boolean => last === "touch";
