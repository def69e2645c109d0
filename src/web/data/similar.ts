import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import type { SimilarItem, SimilarItems } from "../../shared/similar.ts";
import { api, withQuery } from "../api/client.ts";
import { can } from "./projects/projects.ts";

/** Shorter texts resemble everything. */
const MIN_COMPARED = 4;
// The server compares more of a description, but percent-encoded text of other alphabets is nine times as long, and a
// request's headers may have 16 KB.
const MAX_TITLE = 255;
const MAX_DESCRIPTION = 600;

/** Reports, issues and errors that resemble a text, the most similar first; at most five. */
export function useSimilar(
  project: Project,
  { title, description }: { title: string; description: string },
  exceptReportId?: number,
) {
  const compared = {
    title: cut(title, MAX_TITLE),
    description: cut(description, MAX_DESCRIPTION),
    except_report_id: exceptReportId,
  };
  const path = `/api/projects/${project.id}/similar`;
  const enabled =
    maySeeSimilar(project) && `${compared.title}${compared.description}`.trim().length >= MIN_COMPARED;
  const query = useQuery({
    queryKey: ["similar", project.id, compared],
    queryFn: async ({ signal }): Promise<readonly SimilarItem[]> =>
      (await api.get<SimilarItems>(withQuery(path, compared), signal)).data,
    enabled,
    // While typing, the list stays until the next one has been read; not that of another project.
    placeholderData: (items, previous) => (previous?.queryKey[1] === project.id ? items : undefined),
  });
  return { ...query, items: (enabled && query.data) || NONE };
}

const NONE: readonly SimilarItem[] = [];

const cut = (text: string, max: number) => text.slice(0, max).toWellFormed();

/** Whether the person may read at least one kind of what can be similar. */
const maySeeSimilar = (project: Project): boolean =>
  can(project, "issues:read") ||
  (project.features.reports && can(project, "reports:read")) ||
  (project.features.error_tracking && can(project, "error-groups:read"));
