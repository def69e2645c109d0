import { useEffect, useRef, useState } from "react";
import { imageRefusal, REPORT_IMAGES } from "./report-files.ts";

type ChosenImage = { id: number; file: File; url: string };

export type ChosenImages = ReturnType<typeof useChosenImages>;

/** Pictures that will come with a report, five at most; what cannot come is said at once. */
export function useChosenImages() {
  const [chosen, setChosen] = useState<readonly ChosenImage[]>([]);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
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
    refusals,
    add(files: readonly File[]) {
      const refused: string[] = [];
      const taken: ChosenImage[] = [];
      for (const file of files) {
        const why = imageRefusal(file);
        if (why !== undefined) refused.push(why);
        else if (chosen.length + taken.length >= REPORT_IMAGES.most)
          refused.push(`${file.name} is left out: ${REPORT_IMAGES.most} images at most.`);
        else {
          const url = URL.createObjectURL(file);
          urls.current.add(url);
          taken.push({ id: ++last.current, file, url });
        }
      }
      setChosen([...chosen, ...taken]);
      setRefusals(refused);
    },
    remove(id: number) {
      setChosen(chosen.filter((image) => image.id !== id));
      setRefusals([]);
    },
    clear() {
      setChosen([]);
      setRefusals([]);
    },
  };
}
