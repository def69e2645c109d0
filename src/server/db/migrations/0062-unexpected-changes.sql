-- Fails a batch of events with a code by which the server recognizes it, and stores it with a statement that expects changes.
create function fail_for_unexpected_changes() returns boolean language plpgsql as $$
begin
  raise exception 'the batch creates, reopens or regresses error groups, or creates releases' using errcode = 'SB002';
end $$;
