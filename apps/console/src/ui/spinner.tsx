import { LoaderCircle } from 'lucide-react';

/** Something is under way. The words beside it say what. */
export function Spinner() {
  return <LoaderCircle aria-hidden="true" className="size-4 animate-spin" />;
}
