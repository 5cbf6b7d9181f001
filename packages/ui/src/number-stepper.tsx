import { Minus, Plus } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { isAtMost, stepDecimal } from './decimal-step.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { useHold } from './use-hold.ts'

type NumberStepperProps = {
  label: string
  decreaseLabel: string
  increaseLabel: string
  /** Plain decimals throughout ("0.10"); the text is handed on as typed, judging it is the caller's. */
  value: string
  step: string
  min: string
  max?: string | undefined
  problem?: string | null | undefined
  isDisabled?: boolean
  onChange: (value: string) => void
}

type StepButtonProps = { icon: LucideIcon; label: string; isDisabled: boolean; onStep: () => void }

const StepButton = ({ icon, label, isDisabled, onStep }: StepButtonProps) => (
  <button
    type="button"
    aria-label={label}
    disabled={isDisabled}
    {...useHold(onStep)}
    className="grid size-11 shrink-0 place-items-center rounded-field text-ink transition-[scale] select-none active:scale-95 disabled:opacity-35"
  >
    <span className="grid size-8 place-items-center rounded-[9px] bg-surface">
      <Icon of={icon} size={16} />
    </span>
  </button>
)

/** A figure with minus and plus. Holding a button repeats; minus rests at the minimum, plus at the maximum. */
export function NumberStepper(props: NumberStepperProps) {
  const { value, step, min, max, isDisabled = false } = props
  const move = (direction: 1 | -1) => props.onChange(stepDecimal(value, direction, { step, min, max }))
  return (
    <Field label={props.label} problem={props.problem}>
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
            value={value}
            inputMode="decimal"
            autoComplete="off"
            disabled={isDisabled}
            onFocus={(event) => event.target.select()}
            onChange={(event) => props.onChange(event.target.value.trim().replace(',', '.'))}
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
