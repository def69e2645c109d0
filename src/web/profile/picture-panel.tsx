import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { removePicture, setPicture } from "../data/account/change-account.ts";
import { Panel } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { patchEverywhere } from "../data/cache/patch-everywhere.ts";
import { useProfile } from "../data/account/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Button } from "../kit/button.tsx";
import { FileDrop } from "../kit/file-drop.tsx";
import { FormError } from "../kit/form-error.tsx";
import { checkPicture } from "./check-picture.ts";

type Chosen = { file: File; address: string };

/** Shows a preview of the square crop before uploading. */
export function PicturePanel() {
  const profile = useProfile();
  const [chosen, setChosen] = useState<Chosen>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    if (chosen) return () => URL.revokeObjectURL(chosen.address);
  }, [chosen]);
  const { set, remove } = useSavePicture(() => setChosen(undefined));
  const choose = ([file]: File[]) => {
    if (file === undefined) return;
    set.reset();
    const problem = checkPicture(file);
    setRefusal(problem);
    setChosen(problem === undefined ? { file, address: URL.createObjectURL(file) } : undefined);
  };
  return (
    <Panel title="Picture" padded>
      <div className="flex flex-wrap items-center gap-4">
        {chosen ? (
          <Preview
            address={chosen.address}
            onError={() => {
              setChosen(undefined);
              setRefusal(`${chosen.file.name} could not be read as an image.`);
            }}
          />
        ) : (
          <Avatar person={profile} size={64} named />
        )}
        <div className="flex min-w-0 flex-[1_1_16rem] flex-col gap-3">
          <FormError>{refusal ?? (set.error && reasonOf(set.error))}</FormError>
          {chosen ? (
            <ChosenActions
              name={chosen.file.name}
              busy={set.isPending}
              onUse={() => set.mutate(chosen.file)}
              onCancel={() => {
                setChosen(undefined);
                set.reset();
              }}
            />
          ) : (
            <FileDrop
              multiple={false}
              accept="image/*"
              hint="An image of up to 10 MB. It is cropped to a square."
              onFiles={choose}
            />
          )}
        </div>
        {profile.profile_picture !== null && !chosen && (
          <Button icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove picture
          </Button>
        )}
      </div>
    </Panel>
  );
}

function useSavePicture(onSaved: () => void) {
  const { id } = useProfile();
  const client = useQueryClient();
  const set = useSend({
    send: setPicture,
    stale: [["people"]],
    onDone: (saved) => {
      patchEverywhere(client, "profile", saved.id, saved);
      onSaved();
    },
  });
  const remove = useSend({
    send: removePicture,
    stale: [["people"]],
    onDone: () => void patchEverywhere(client, "profile", id, { profile_picture: null }),
    failed: "The picture could not be removed",
  });
  return { set, remove };
}

function Preview({ address, onError }: { address: string; onError: () => void }) {
  return (
    <img
      src={address}
      alt="Preview"
      width={64}
      height={64}
      className="size-16 shrink-0 rounded-full object-cover"
      onError={onError}
    />
  );
}

type ActionsProps = { name: string; busy: boolean; onUse: () => void; onCancel: () => void };

function ChosenActions({ name, busy, onUse, onCancel }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="primary" busy={busy} onClick={onUse}>
        Use this picture
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <span className="min-w-0 truncate text-sm text-text-3" title={name}>
        {name}
      </span>
    </div>
  );
}
