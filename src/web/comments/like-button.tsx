import { ThumbsUp } from "lucide-react";
import type { Comment } from "../../shared/comments.ts";
import { nameOf, type People } from "../data/projects/people.ts";
import { Button } from "../kit/button.tsx";
import { tooltip } from "../kit/tooltip.ts";
import { likersText } from "./likers-text.ts";

type Props = {
  comment: Comment;
  people: People;
  me: number;
  disabled: boolean;
  /** The id of what says whose comment it is. */
  describedBy: string;
  onToggle: () => void;
};

/** Toggles a like. Its name and tooltip say who likes the comment. */
export function LikeButton({ comment, people, me, disabled, describedBy, onToggle }: Props) {
  const { liker_ids } = comment;
  const names = liker_ids.filter((id) => id !== me).map((id) => nameOf(people.of(id)));
  const mine = liker_ids.includes(me);
  const who = likersText(names, mine);
  return (
    <Button
      {...tooltip(who ?? "Like")}
      size="sm"
      variant="quiet"
      icon={<ThumbsUp size={14} aria-hidden className={mine ? "fill-accent-tint" : undefined} />}
      aria-label={who === undefined ? "Like" : `Like, ${liker_ids.length}. ${who}`}
      aria-describedby={describedBy}
      aria-pressed={mine}
      disabled={disabled}
      className="aria-pressed:text-accent-text"
      onClick={onToggle}
    >
      {liker_ids.length > 0 && liker_ids.length}
    </Button>
  );
}
