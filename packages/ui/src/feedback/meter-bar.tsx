import { classNames } from '../theme/class-names.ts'

type MeterBarProps = {
  label: string
  valueText: string
  /** 0 to 1. */
  part: number
  tone: 'brass' | 'danger'
}

/** A thin horizontal meter. */
export const MeterBar = ({ label, valueText, part, tone }: MeterBarProps) => (
  <div
    role="meter"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(part * 100)}
    aria-valuetext={valueText}
    className="h-1 overflow-hidden rounded-full bg-line"
  >
    <div
      className={classNames(
        'h-full rounded-full transition-[width]',
        tone === 'brass' ? 'bg-brass' : 'bg-danger',
      )}
      style={{ width: `${Math.max(0, Math.min(1, part)) * 100}%` }}
    />
  </div>
)
