import { Link } from "@tanstack/react-router";

/** The first part of the breadcrumb of a page within a project. */
export function ProjectCrumb({ project }: { project: { key: string; name: string } }) {
  return (
    <Link to="/projects/$projectKey" params={{ projectKey: project.key }}>
      {project.name}
    </Link>
  );
}
