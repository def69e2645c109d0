alter table epics add column owner_id bigint references users on delete set null;
-- Deleting a user looks for their epics.
create index epics_owner_id on epics (owner_id) where owner_id is not null;
