import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, PackageCheck } from "lucide-react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import { api, messageOf } from "../api/client.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { toast } from "../kit/toast.ts";

/** Other ways to resolve a group, beside the button that resolves it plainly. */
export function ResolveMenu({ group }: { group: ErrorGroup }) {
  const resolve = useResolveInNextRelease();
  if (group.resolved_in?.mode === "next_release") return null;
  return (
    <Menu
      label="Fixed in"
      align="end"
      trigger={<IconButton label="Fixed in a release" icon={ChevronDown} />}
      items={[
        {
          label: "Fixed in the next release",
          icon: PackageCheck,
          onSelect: () => resolve.mutate(group),
        },
      ]}
    />
  );
}

function useResolveInNextRelease() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, project_id }: { id: number; project_id: number }) =>
      api.post<ErrorGroup>(`/api/projects/${project_id}/error-groups/${id}/resolve`, { in: "next_release" }),
    onSuccess: (group) => {
      client.setQueryData(["error_group", group.project_id, "one", group.id], group);
      toast({ title: `${group.exception_class} resolved in the next release`, tone: "success" });
    },
    onError: (error) => toast({ title: messageOf(error), tone: "danger" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["error_group"] }),
  });
}
