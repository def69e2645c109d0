import { useEffect, useRef, useState } from "react";
import { imageRefusal, REPORT_IMAGES } from "../attachments/file-rules.ts";

type ChosenImage = { id: number; file: File; url: string };

export type ChosenImages = ReturnType<typeof useChosenImages>;

/** Up to five images for a new report, and why others were rejected. */
export function useChosenImages() {
  const [chosen, setChosen] = useState<readonly ChosenImage[]>([]);
  const [rejected, setRejected] = useState<readonly string[]>([]);
  const last = useRef(0);
  const urls = useRef(new Set<string>());
  useEffect(() => {
    const made = urls.current;
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, []);

  return {
    chosen,
    rejected,
    add(files: readonly File[]) {
      const reasons: string[] = [];
      const added: ChosenImage[] = [];
      for (const file of files) {
        const reason = imageRefusal(file);
        if (reason !== undefined) reasons.push(reason);
        else if (chosen.length + added.length >= REPORT_IMAGES.most)
          reasons.push(`${file.name} was not added: at most ${REPORT_IMAGES.most} images are allowed.`);
        else {
          const url = URL.createObjectURL(file);
          urls.current.add(url);
          added.push({ id: ++last.current, file, url });
        }
      }
      setChosen([...chosen, ...added]);
      setRejected(reasons);
    },
    remove(id: number) {
      setChosen(chosen.filter((image) => image.id !== id));
      setRejected([]);
    },
    clear() {
      setChosen([]);
      setRejected([]);
    },
  };
}
