import { Bookmark } from "lucide-react";
import { Button } from "../kit/button.tsx";

/** The place of the menu of views while its code loads, so that nothing moves when it appears. */
export function ViewsPlace() {
  return (
    <span className="invisible" inert>
      <Button size="sm" variant="quiet" icon={Bookmark}>
        Views
      </Button>
    </span>
  );
}
