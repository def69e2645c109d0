import { preloadCombobox } from "../kit/combobox.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import type { QuickPickProps } from "./quick-pick.tsx";

const Loaded = lazyPart(async () => {
  preloadCombobox();
  return (await import("./quick-pick.tsx")).QuickPick;
});

/** The picker of a list. Its code loads when it is first opened. */
export function QuickPick(props: QuickPickProps) {
  return (
    <LazyPopup open onCancel={props.onClose}>
      <Loaded {...props} />
    </LazyPopup>
  );
}
