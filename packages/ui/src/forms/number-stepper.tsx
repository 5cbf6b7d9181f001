import { Minus, Plus } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { isAtMost, stepDecimal } from './decimal-step.ts'
import { Field } from './field.tsx'
import { useTypedNumber } from './use-typed-number.ts'
import { Icon } from '../graphics/icon.tsx'
import { byArrows, useHold } from '../hooks/use-hold.ts'

type NumberStepperProps = {
  label: string
  decreaseLabel: string
  increaseLabel: string
  /** Plain decimals throughout ("0.10"); what is no number is passed on as typed, and the caller validates it. */
  value: string
  step: string
  min: string
  max?: string | undefined
  problem?: string | null | undefined
  /** For a price: that of the market, which decides between two readings of what is typed. */
  near?: number | null
  isDisabled?: boolean
  onChange: (value: string) => void
}

type StepButtonProps = { icon: LucideIcon; label: string; isDisabled: boolean; onStep: () => void }

const StepButton = ({ icon, label, isDisabled, onStep }: StepButtonProps) => (
  <button
    type="button"
    aria-label={label}
    // The arrow keys in the field do the same: one tab stop is enough.
    tabIndex={-1}
    disabled={isDisabled}
    {...useHold(onStep)}
    className="grid size-11 shrink-0 place-items-center rounded-field text-ink transition-[scale] select-none active:scale-95 disabled:opacity-35"
  >
    <span className="grid size-8 place-items-center rounded-[9px] bg-surface">
      <Icon of={icon} size={16} />
    </span>
  </button>
)

/** A number field with minus and plus. Holding a button repeats it; minus stops at the minimum, plus at the maximum. */
export function NumberStepper(props: NumberStepperProps) {
  const { value, step, min, max, isDisabled = false } = props
  const typed = useTypedNumber(value, props.onChange, props.near)
  const move = (direction: 1 | -1) => props.onChange(stepDecimal(value, direction, { step, min, max }))
  return (
    <Field label={props.label} problem={typed.question ?? props.problem} answers={typed.answers}>
      {(ids) => (
        <div
          dir="ltr"
          className="flex items-center rounded-field bg-page has-aria-invalid:ring-1 has-aria-invalid:ring-danger"
        >
          <StepButton
            icon={Minus}
            label={props.decreaseLabel}
            isDisabled={isDisabled || isAtMost(value, min)}
            onStep={() => move(-1)}
          />
          <input
            {...ids}
            value={typed.text}
            inputMode="decimal"
            autoComplete="off"
            disabled={isDisabled}
            onFocus={(event) => event.target.select()}
            onKeyDown={byArrows(move)}
            onChange={(event) => typed.type(event.target.value)}
            onBlur={typed.settle}
            className="min-h-11 w-full min-w-0 bg-transparent text-center font-bold outline-none disabled:opacity-45"
          />
          <StepButton
            icon={Plus}
            label={props.increaseLabel}
            isDisabled={isDisabled || (max !== undefined && isAtMost(max, value))}
            onStep={() => move(1)}
          />
        </div>
      )}
    </Field>
  )
}
