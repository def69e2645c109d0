import type { Report } from "../../shared/reports.ts";
import { useUploads } from "../attachments/use-uploads.ts";
import { patchEverywhere } from "../data/cache/patch-everywhere.ts";
import { attachmentsQuery, reportsPath } from "../data/reports/reports.ts";

/** The uploads of a report. */
export function useReportUploads({ id, project_id }: Report) {
  return useUploads(`${reportsPath(project_id)}/${id}/attachments`, async (client, attachment) => {
    client.setQueryData(attachmentsQuery(project_id, id).queryKey, (known) => [...(known ?? []), attachment]);
    patchEverywhere(client, "report", id, ({ attachments_count }) => ({
      attachments_count: attachments_count + 1,
    }));
    await client.invalidateQueries(attachmentsQuery(project_id, id));
  });
}
