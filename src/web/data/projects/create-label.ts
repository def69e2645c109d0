import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Label } from "../../../shared/labels.ts";
import { api } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { LABEL_COLORS } from "../../marks/label-colors.ts";
import { labelsQuery } from "./labels.ts";

/** Creates a label with the color that the fewest labels of the project have. */
export function useCreateLabel(projectId: number) {
  const client = useQueryClient();
  const { queryKey } = labelsQuery(projectId);
  return useMutation({
    mutationFn: (name: string) => {
      const color = rarestColor(client.getQueryData(queryKey) ?? []);
      return api.post<Label>(`/api/projects/${projectId}/labels`, { name, color });
    },
    onSuccess: (label) => {
      client.setQueryData(queryKey, (all) => [...(all ?? []).filter(({ id }) => id !== label.id), label]);
    },
    onError: (error) => showFailure("The label could not be created", error),
  });
}

function rarestColor(labels: readonly Label[]): string {
  const uses = ({ value }: { value: string }) => labels.filter(({ color }) => color === value).length;
  return LABEL_COLORS.reduce((best, one) => (uses(one) < uses(best) ? one : best)).value;
}
