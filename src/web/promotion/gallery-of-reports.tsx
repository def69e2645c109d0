import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { attachmentsQuery, reportsPath } from "../data/reports/reports.ts";
import { Lightbox } from "../attachments/lightbox.tsx";

/** The images of several reports. Nothing if there are none. */
export function GalleryOfReports({ reports }: { reports: readonly Report[] }) {
  const withImages = reports.filter(({ first_image_id }) => first_image_id !== null);
  const found = useQueries({
    queries: withImages.map(({ project_id, id }) => attachmentsQuery(project_id, id)),
  });
  const [shown, setShown] = useState<number | null>(null);
  if (withImages.length === 0) return null;
  const images = withImages.flatMap(({ project_id, id }, index) =>
    (found[index]?.data ?? [])
      .filter(({ mime_type }) => mime_type.startsWith("image/"))
      .map((image) => ({
        ...image,
        report: id,
        url: `${reportsPath(project_id)}/${id}/attachments/${image.id}/download`,
      })),
  );
  return (
    <section aria-labelledby="report-screenshots">
      <h3 id="report-screenshots" className="mb-1 font-medium">
        Screenshots
      </h3>
      <ul className="flex min-h-18 flex-wrap gap-2">
        {images.map(({ id, report, filename, url }, index) => (
          <li key={id}>
            <button
              type="button"
              aria-label={`View ${filename} of #${report}`}
              title={`${filename} · #${report}`}
              className="block overflow-hidden rounded-md border border-line bg-sunken hover:border-line-strong"
              onClick={() => setShown(index)}
            >
              <img
                src={url}
                alt=""
                width={96}
                height={70}
                loading="lazy"
                decoding="async"
                className="h-17.5 w-24 object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      {shown !== null && (
        <Lightbox images={images} index={shown} onIndex={setShown} onClose={() => setShown(null)} />
      )}
    </section>
  );
}
