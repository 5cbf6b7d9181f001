import { Minus, Plus, type LucideIcon } from 'lucide-react'
import { Field } from '@fairlot/ui/field.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { useHold } from '@fairlot/ui/use-hold.ts'

type PriceStepperProps = {
  label: string
  lowerLabel: string
  raiseLabel: string
  /** As typed; empty for none. */
  value: string
  /** What stands there while it is empty. */
  placeholder: string
  problem?: string | null
  hint?: string | null
  isDisabled: boolean
  onType: (text: string) => void
  /** One press, up or down; an empty field starts on the side of the press. */
  onStep: (by: 1 | -1) => void
}

/** A price that may be empty. The first press writes one at a sensible distance, the next ones move it. */
export function PriceStepper(props: PriceStepperProps) {
  const { isDisabled, onStep } = props
  return (
    <Field label={props.label} problem={props.problem} hint={props.hint}>
      {(ids) => (
        <div
          dir="ltr"
          className="flex items-center rounded-field bg-page has-aria-invalid:ring-1 has-aria-invalid:ring-danger"
        >
          <StepButton
            icon={Minus}
            label={props.lowerLabel}
            isDisabled={isDisabled}
            onStep={() => onStep(-1)}
          />
          <input
            {...ids}
            value={props.value}
            placeholder={props.placeholder}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            disabled={isDisabled}
            onFocus={(event) => event.target.select()}
            onChange={(event) => props.onType(event.target.value.trim().replace(',', '.'))}
            className="min-h-11 w-full min-w-0 bg-transparent text-center font-bold outline-none placeholder:font-normal placeholder:text-third disabled:opacity-45"
          />
          <StepButton icon={Plus} label={props.raiseLabel} isDisabled={isDisabled} onStep={() => onStep(1)} />
        </div>
      )}
    </Field>
  )
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
