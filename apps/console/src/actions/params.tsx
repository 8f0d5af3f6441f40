import { useQuery } from '@tanstack/react-query';
import { JsonText } from '../ui/json-text.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { askControl } from './call.ts';

/** Shows an action's params. They never change, so they are fetched once. */
export function Params({ executionId }: { executionId: string }) {
  const asked = askControl('GET /v1/executions/:execution_id', { params: { execution_id: executionId } });
  const execution = useQuery({ ...asked, refetchInterval: false, staleTime: Infinity });
  return (
    <Loaded query={execution} skeleton={<Bone className="h-20" />}>
      {({ params }) => <JsonText label="Parameters" value={params} />}
    </Loaded>
  );
}
