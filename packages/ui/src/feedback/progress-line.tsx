/** A thin line across the top of the screen while a request is in progress. */
export const ProgressLine = ({ label, isActive }: { label: string; isActive: boolean }) =>
  isActive && (
    <div role="progressbar" aria-label={label} className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      <div className="h-full w-1/3 animate-[slide_1s_linear_infinite] bg-brass" />
    </div>
  )
