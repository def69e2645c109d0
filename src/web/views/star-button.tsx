import { useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import { useDeleteView, useSaveView } from "../data/projects/change-views.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { usePaletteCommand } from "../keys/commands.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { showFailure } from "../forms/show-failure.ts";

type Props = { page: "issue" | "epic"; projectId: number; id: number; title: string };

/** Makes an issue or epic a favorite, which the sidebar lists. */
export function StarButton({ page, projectId, id, title }: Props) {
  const { data: views } = useQuery(viewsQuery(null));
  const favorite = views?.find((view) => view.page === page && view[`${page}_id`] === id);
  const save = useSaveView();
  const remove = useDeleteView(null);
  const toggle = () => {
    if (save.isPending || remove.isPending || views === undefined) return;
    if (favorite) {
      remove.mutate(favorite);
      return announce("Removed from favorites");
    }
    const body = { page, project_id: projectId, [`${page}_id`]: id };
    save.mutate(
      { body, sharedWith: null },
      {
        onSuccess: () => announce("Added to favorites"),
        onError: (error) => showFailure("The favorite could not be added", error),
      },
    );
  };
  usePaletteCommand("star", `${favorite ? "Remove from favorites" : "Add to favorites"}: ${title}`, toggle);
  return (
    <IconButton
      icon={Star}
      label="Favorite"
      aria-pressed={favorite !== undefined}
      className="aria-pressed:[&_svg]:fill-current"
      onClick={toggle}
    />
  );
}
