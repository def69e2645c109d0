-- Source maps and the minified files that they belong to. The content of each is stored once per project.
create table artifact_files (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  sha256 bytea not null,
  size bigint not null,
  storage_key text not null unique,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, sha256)
);

create table artifacts (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Null if the upload named no release: then the file is found by its debug id.
  release_id bigint references releases on delete cascade,
  file_id bigint not null references artifact_files on delete cascade,
  -- `~/` and a path.
  name text collate "C" not null,
  type text not null check (type in ('source_map', 'source')),
  debug_id uuid,
  -- Of a source: the name of its source map, or null if the file names none.
  map_name text collate "C",
  created_at timestamptz not null default clock_timestamp(),
  check (release_id is not null or debug_id is not null)
);
-- Names can be longer than what an index stores.
create unique index artifacts_of_release on artifacts (release_id, md5(name)) where release_id is not null;
create unique index artifacts_without_release on artifacts (project_id, debug_id, type) where release_id is null;
create index artifacts_by_debug_id on artifacts (project_id, debug_id) where debug_id is not null;
create index artifacts_by_file on artifacts (file_id);

-- Parts of uploads that have not been put together, by their checksum. A client that is interrupted continues with those it has not sent.
create table artifact_chunks (
  project_id bigint not null references projects on delete cascade,
  sha1 bytea not null,
  size bigint not null,
  storage_key text not null unique,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, sha1)
);
create index artifact_chunks_by_time on artifact_chunks (created_at);

-- Removes the files that no artifact uses any more. They are locked first, so that an upload of the same content either is seen by the
-- second statement or stores the content again. A file that an upload has locked stays; the daily job removes it if that upload fails.
create function delete_unused_artifact_files() returns trigger language plpgsql as $$
declare
  locked bigint[];
begin
  select array_agg(id) into locked from (
    select id from artifact_files where id in (select file_id from gone) order by id for update skip locked
  ) f;
  delete from artifact_files f where f.id = any(locked) and not exists (select from artifacts a where a.file_id = f.id);
  return null;
end $$;
create trigger delete_unused_artifact_files after delete on artifacts
  referencing old table as gone for each statement execute function delete_unused_artifact_files();

create trigger add_project_storage after insert on artifact_files
  referencing new table as added for each statement execute function add_project_storage();
create trigger subtract_project_storage after delete on artifact_files
  referencing old table as gone for each statement execute function subtract_project_storage();
create trigger artifact_files_file_deletions after delete on artifact_files
  referencing old table as gone for each statement execute function note_file_deletions();

create trigger add_project_storage after insert on artifact_chunks
  referencing new table as added for each statement execute function add_project_storage();
create trigger subtract_project_storage after delete on artifact_chunks
  referencing old table as gone for each statement execute function subtract_project_storage();
create trigger artifact_chunks_file_deletions after delete on artifact_chunks
  referencing old table as gone for each statement execute function note_file_deletions();
