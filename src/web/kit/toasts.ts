export type ToastMessage = {
  title: string;
  description?: string | undefined;
  tone?: "neutral" | "success" | "danger" | undefined;
  action?: { label: string; onSelect: () => void } | undefined;
  /** How long it stays; 0 until it is closed. Without it 6, an error 0. */
  seconds?: number | undefined;
};

export type Shown = ToastMessage & { id: number; seconds: number };

const MOST_SHOWN = 3;

/** What is shown, oldest first. The same words again replace the ones that are there. */
function toastList() {
  let list: readonly Shown[] = [];
  let last = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Shown[]) => {
    list = next;
    for (const listener of listeners) listener();
  };
  const remove = (id: number) => set(list.filter((item) => item.id !== id));
  return {
    add(message: ToastMessage): () => void {
      const id = ++last;
      const seconds = message.seconds ?? (message.tone === "danger" ? 0 : 6);
      const others = list.filter(
        ({ title, description }) => title !== message.title || description !== message.description,
      );
      set([...others, { ...message, id, seconds }].slice(-MOST_SHOWN));
      return () => remove(id);
    },
    remove,
    shown: () => list,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const toasts = toastList();
export { toastList };
