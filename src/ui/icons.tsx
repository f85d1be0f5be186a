/** Small state icons: circle against square against ring, so that they differ without colour. */
export type StateIconKind = 'yes' | 'no' | 'unknown';

export function StateIcon({ kind, label }: { readonly kind: StateIconKind; readonly label: string }) {
  return (
    <svg className={`state-icon ${kind}`} width="16" height="16" viewBox="0 0 16 16" role="img" aria-label={label}>
      {kind === 'yes' && (
        <>
          <circle cx="8" cy="8" r="7.5" />
          <path d="M4.8 8.3l2.1 2.2 4.3-4.8" />
        </>
      )}
      {kind === 'no' && (
        <>
          <rect x="1.5" y="1.5" width="13" height="13" rx="2" />
          <path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" />
        </>
      )}
      {kind === 'unknown' && <circle cx="8" cy="8" r="6.5" />}
    </svg>
  );
}

/** The product's mark: three bars, one after another. */
export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="3" width="9" height="3.4" rx="1.7" fill="var(--wait)" />
      <rect x="5" y="8.3" width="9" height="3.4" rx="1.7" fill="var(--accent)" />
      <rect x="10" y="13.6" width="9" height="3.4" rx="1.7" fill="var(--ok)" />
    </svg>
  );
}
