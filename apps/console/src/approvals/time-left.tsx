import { TimeLeft } from '../ui/time-left.tsx';

const outdates = ['/api/approvals', '/api/overview'] as const;

/** Counts down to the end of an approval. */
export const ApprovalTimeLeft = ({ until }: { until: string }) => (
  <TimeLeft until={until} outdates={outdates} />
);
