import { formatDecimal, type Instrument, type Money, type Price, type Side } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { firstStop, hasPips, nextPrice, parsePrice, type StopName, valueOf } from '../lots-and-prices.ts'
import { type LucideIcon, Minus, Plus } from 'lucide-react'
import { useTypedNumber } from '@fairlot/ui/forms/use-typed-number.ts'
import { Field } from '@fairlot/ui/forms/field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { byArrows, useHold } from '@fairlot/ui/hooks/use-hold.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'

type StopFieldProps = {
  name: StopName
  /** As typed; empty for none. */
  value: string
  problem: string | null
  hint?: string | null
  instrument: Pick<Instrument, 'priceDecimals' | 'minStopDistance' | 'allowsNegativePrice'>
  /** The side of the order; null while unknown. */
  side: Side | null
  /** The price from which the stop is measured; null while there is none. */
  reference: Price | null
  /** Price at which the order opens or has opened; null while unknown. */
  openPrice: Price | null
  /** Profit if the order closes at the stop; null while unknown. */
  profit: Money | null
  onType: (text: string) => void
  /** Called when a press needs the side of the order first. */
  onSideNeeded?: () => void
}

/** A stop of a new or existing order, typed or stepped, with its profit and its distance. */
export function StopField(props: StopFieldProps) {
  const { name, value, instrument, side, reference } = props
  const t = useTranslations('ticket')
  const now = valueOf(parsePrice(value, instrument.priceDecimals, true))
  const write = (ticks: Price) => props.onType(formatDecimal(ticks, instrument.priceDecimals))
  const step = (direction: 1 | -1) => {
    if (now !== null) return write(nextPrice(now, direction, { instrument, reference: reference ?? now }))
    if (side === null) return props.onSideNeeded?.()
    if (reference !== null) write(firstStop(name, side, { instrument, reference }))
  }
  return (
    <PriceStepper
      label={useStopLabel(props, now)}
      lowerLabel={t('lower', { field: t(name) })}
      raiseLabel={t('raise', { field: t(name) })}
      value={value}
      placeholder={t('none')}
      problem={props.problem}
      hint={props.hint ?? null}
      near={reference === null ? null : reference / 10 ** instrument.priceDecimals}
      isDisabled={reference === null && now === null && side !== null}
      onType={props.onType}
      onStep={step}
    />
  )
}

/** The name of a stop and, once its side is known, its profit and its distance from the opening price. */
function useStopLabel(
  { name, side, openPrice, profit, instrument }: StopFieldProps,
  at: Price | null,
): string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { priceDecimals } = instrument
  if (side === null || at === null || openPrice === null || profit === null) return t(name)
  const moved = side === 'buy' ? at - openPrice : openPrice - at
  const distance = hasPips(priceDecimals)
    ? t('pips', { count: figures.figure(moved, 1, { sign: 'always' }) })
    : figures.figure(moved, priceDecimals, { sign: 'always' })
  return t('atPrice', {
    field: t(name),
    profit: asName(figures.money(profit, { sign: 'always' })),
    distance: asName(distance),
  })
}

type PriceStepperProps = {
  label: string
  lowerLabel: string
  raiseLabel: string
  /** As typed; empty for none. */
  value: string
  placeholder: string
  problem?: string | null
  hint?: string | null
  isDisabled: boolean
  /** The market's price, which decides between two readings of what is typed; null while unknown. */
  near?: number | null
  onType: (text: string) => void
  /** One press, up or down; an empty field starts on the side of the press. */
  onStep: (direction: 1 | -1) => void
}

/** A price that may be empty. The first press sets it at a sensible distance, further presses move it. */
export function PriceStepper(props: PriceStepperProps) {
  const { isDisabled, onStep } = props
  const typed = useTypedNumber(props.value, props.onType, props.near ?? null)
  return (
    <Field
      label={props.label}
      problem={typed.question ?? props.problem}
      answers={typed.answers}
      hint={props.hint}
    >
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
            value={typed.text}
            placeholder={typed.written(props.placeholder)}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            disabled={isDisabled}
            onFocus={(event) => event.target.select()}
            onKeyDown={byArrows(onStep)}
            onChange={(event) => typed.type(event.target.value)}
            onBlur={typed.settle}
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
    // The arrow keys in the field do the same: one tab stop, not three.
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
