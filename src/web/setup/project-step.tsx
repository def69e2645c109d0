import { ProjectForm } from "../projects/project-form.tsx";

/** The first project; its key is what the next step is about. */
export function ProjectStep({ onDone }: { onDone: (key: string) => void }) {
  return <ProjectForm onDone={({ key }) => onDone(key)} />;
}
