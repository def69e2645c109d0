import { store } from "../state/store.ts";

export type ToastMessage = {
  title: string;
  description?: string | undefined;
  tone?: "neutral" | "success" | "danger" | undefined;
  action?: { label: string; onSelect: () => void } | undefined;
  /** How long it stays; 0 until it is closed. The default is 6, or 0 for an error. */
  seconds?: number | undefined;
};

/** Messages that are not shown yet. The list takes them from here once its code has loaded. */
export const newToasts = store<readonly ToastMessage[]>([]);

/** Shows a short message: `toast({ title: "Link copied", tone: "success" })`. The same words replace an earlier message. */
export function toast(message: ToastMessage): void {
  newToasts.set([...newToasts.get(), message]);
}
