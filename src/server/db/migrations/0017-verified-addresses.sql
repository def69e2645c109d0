-- Whether whoever has the account has shown to read the mail of its address: by the invitation that made it, or by a
-- link that was mailed. A changed address is somebody's word until then, and no proof of who they are.
alter table users add column email_verified boolean not null default true;

-- For the daily end of those that have expired.
create index sessions_expires_at on sessions (expires_at);
