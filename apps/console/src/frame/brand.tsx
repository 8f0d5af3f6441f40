/** Our name and mark: a stroke of a pen. */
export function Brand() {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6">
        <rect width="32" height="32" rx="8" fill="var(--color-accent)" />
        <path
          d="M8 20.5c3.4 0 4.2-9.5 7.2-9.5 2.7 0 .6 8.4 3.2 8.4 1.9 0 2.3-3.4 5.6-3.4"
          fill="none"
          stroke="var(--color-on-accent)"
          strokeWidth="2.4"
          strokeLinecap="round"
        />
      </svg>
      Countersign
    </span>
  );
}
