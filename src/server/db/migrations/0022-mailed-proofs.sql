-- Whoever invites sees the invitation's link, so using it proves nothing. The emailed link ends in a proof that nobody
-- else sees: only it verifies the address. Invitations from before have none.
alter table invitations add column proof_hash bytea;

-- Appended to button_path in the email itself and shown nowhere else. Deleted when the email has been sent or kept.
alter table mails add column link_proof text;
