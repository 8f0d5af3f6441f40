import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../ui/badge.tsx';
import { enclaveReport } from './report.ts';

/** Says wherever secrets are handled that no hardware protects them; nothing where some does. */
export function SimulatedBadge() {
  const known = useQuery(enclaveReport).data;
  if (known === undefined || known.report.hardware) return null;
  return (
    <Link
      to="/vault/attestation"
      title="No hardware protects this vault. See what that means."
      className="inline-flex min-h-6 items-center"
    >
      <Badge tone="warn">SIMULATED</Badge>
    </Link>
  );
}
