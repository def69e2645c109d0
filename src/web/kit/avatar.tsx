import { useState } from "react";
import { UserRound } from "lucide-react";
import { cx } from "./cx.ts";
import { initialsOf, type Named, nameOfPerson } from "./initials.ts";

export type Pictured = Named & { profile_picture?: { avif: string; webp: string } | null };

type Props = {
  /** Null: somebody who was deleted. */
  person: Pictured | null;
  size?: 16 | 20 | 24 | 32 | 64;
  /** The name is not beside it: says it to screen readers and on hover. */
  named?: boolean;
};

/** A person's picture, or their initials when there is none or it does not load. */
export function Avatar({ person, size = 20, named = false }: Props) {
  const picture = person?.profile_picture ?? null;
  const [failed, setFailed] = useState<string | null>(null);
  const name = nameOfPerson(person);
  const frame = cx(
    "inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full",
    size === 64 ? "text-title" : size === 32 ? "text-sm" : "text-[0.5625rem]/none",
  );
  const box = { width: size, height: size };
  const said = named
    ? ({ role: "img", "aria-label": name, title: name } as const)
    : ({ "aria-hidden": true } as const);
  if (picture !== null && failed !== picture.webp)
    return (
      <span {...said} className={frame} style={box}>
        <picture>
          <source srcSet={picture.avif} type="image/avif" />
          <img
            src={picture.webp}
            alt=""
            width={size}
            height={size}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setFailed(picture.webp)}
          />
        </picture>
      </span>
    );
  // The initials are drawn, not text: a button or link around them is named by its words alone.
  const initials = person === null ? undefined : initialsOf(person);
  return (
    <span
      {...said}
      data-initials={size === 16 ? initials?.slice(0, 1) : initials}
      className={cx(
        frame,
        "bg-ignored-tint font-semibold forced-colors:border text-text-2 before:content-[attr(data-initials)]",
      )}
      style={box}
    >
      {person === null && <UserRound size={size * 0.6} />}
    </span>
  );
}
