type Props = { projectId: number; reportId: number; image: number };

/** An image of a report in a row, in a fixed size. It is loaded when its row is in view. */
export function Thumbnail({ projectId, reportId, image }: Props) {
  return (
    <img
      src={`/api/projects/${projectId}/reports/${reportId}/attachments/${image}/download?size=thumbnail`}
      alt=""
      width={40}
      height={40}
      loading="lazy"
      decoding="async"
      draggable={false}
      className="size-10 shrink-0 rounded-sm border border-line bg-sunken object-cover max-sm:size-8"
    />
  );
}
