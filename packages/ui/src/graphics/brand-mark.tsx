/** The logo: two bars of equal length, ink above brass. */
export const BrandMark = ({ size = 24 }: { size?: number }) => (
  <svg aria-hidden viewBox="0 0 24 24" width={size} height={size} className="shrink-0">
    <rect x="2" y="5" width="20" height="5.5" rx="1.5" className="fill-ink" />
    <rect x="2" y="13.5" width="20" height="5.5" rx="1.5" className="fill-brass" />
  </svg>
)
