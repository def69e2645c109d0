-- Whether the user has proved that they receive email at this address, by an invitation or an emailed link. A changed
-- address is unverified and proves nothing about who they are.
alter table users add column email_verified boolean not null default true;

-- For the daily deletion of expired sessions.
create index sessions_expires_at on sessions (expires_at);
