update issue_activity a set project_id = i.project_id
from issues i where i.id = a.issue_id and a.actor_id is not null and a.project_id is null;
