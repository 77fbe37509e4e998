export function BrandMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        className="fill-on-accent"
        d="M4.5 10c0-1.7 2-2.6 3.2-1.4l7 6.3 3.3-3.1c.3-3.6 2.3-5.8 5.3-5.8 1.6 0 2.8.7 3.6 1.9l3.1 1.6-3.2 1.9V18a8 8 0 0 1-8 8H7.5a3 3 0 0 1-3-3Z"
      />
    </svg>
  );
}

export function Brand() {
  return (
    <span className="flex items-center gap-2.5 text-16 font-semibold tracking-tight">
      <BrandMark />
      Dovepost
    </span>
  );
}
