import { fixedMargin, formatDecimal, isBeyond, midPrice, type Instrument, type Side } from '@fairlot/core'
import { memo, type Dispatch } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { marketNow } from '../../../live/market/market-clock.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { NumberStepper } from '@fairlot/ui/number-stepper.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { LeverageField, type LeverageOption } from './leverage-field.tsx'
import { lotText } from './lot-text.ts'
import { PriceStepper } from './price-stepper.tsx'
import { useProblemText } from './problem-text.ts'
import { shownProblems, type TicketProblems } from './problems.ts'
import { steppedPrice } from './stop-steps.ts'
import type { TicketSummary } from './ticket-summary.ts'
import { readPrice, valueOf } from './ticket-parser.ts'
import type { PriceField, TicketAction, TicketField, TicketMode, TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

export type TicketView = {
  readonly state: TicketState
  readonly dispatch: Dispatch<TicketAction>
  readonly terms: TicketTerms
  readonly summary: TicketSummary
  readonly problems: TicketProblems
  readonly leverageOptions: readonly LeverageOption[]
}

/** Everything that can be entered. Nothing here sends. A narrow column needs `columns` 1: a price wants its room. */
export function TicketForm({ view, columns }: { view: TicketView; columns: 1 | 2 }) {
  const { state, dispatch, terms } = view
  const { instrument } = terms
  const text = useProblemText(instrument, state, terms.quote?.bid ?? 1)
  const shown = shownProblems(state, view.problems)
  const at = (field: TicketField): string | null =>
    state.refusal?.field === field ? state.refusal.text : text(shown[field])
  return (
    <div className="flex flex-col gap-2">
      <ModeSwitch mode={state.mode} dispatch={dispatch} />
      <div className={classNames('grid items-start gap-2', columns === 2 && 'grid-cols-2')}>
        {state.mode === 'pending' && <PendingFields view={view} at={at} />}
        <LotsField view={view} problem={at('lots')} instrument={instrument} />
        <LeverageField
          options={view.leverageOptions}
          value={state.leverage}
          isMarginFixed={instrument.marginMode === 'fixed'}
          onChoose={(leverage) => dispatch({ type: 'leverage', leverage })}
        />
        <TicketPrice
          field="stopLoss"
          label={useStopLabel('stopLoss', view)}
          view={view}
          problem={at('stopLoss')}
        />
        <TicketPrice
          field="takeProfit"
          label={useStopLabel('takeProfit', view)}
          view={view}
          problem={at('takeProfit')}
        />
        <Note text={useStopLossNote(view)} isGrave />
        <Note text={useFixedMarginNote(instrument)} />
      </div>
    </div>
  )
}

/** What a lot holds back where that is fixed; null where it follows the price and the leverage. */
function useFixedMarginNote({ marginMode, contractSize }: Instrument): string | null {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return marginMode === 'fixed'
    ? t('marginFixed', { amount: figures.money(fixedMargin(contractSize)) })
    : null
}

type NoteProps = { text: string | null; isGrave?: boolean }

/** A line about the fields above it, as wide as all of them. */
const Note = ({ text, isGrave = false }: NoteProps) => (
  <p
    role="status"
    className={classNames('col-span-full text-note empty:hidden', isGrave ? 'text-danger' : 'text-second')}
  >
    {text}
  </p>
)

type PendingFieldsProps = { view: TicketView; at: (field: TicketField) => string | null }

/** What only a waiting order has: its price, whose side of the market names its kind, and its end. */
function PendingFields({ view, at }: PendingFieldsProps) {
  const t = useTranslations('ticket')
  const { state, dispatch, summary } = view
  const kinds = { buy: summary.buy.kind, sell: summary.sell.kind }
  const isKnown = kinds.buy !== 'market' && kinds.sell !== 'market'
  return (
    <>
      <TicketPrice field="target" label={t('target')} view={view} problem={at('target')} />
      <ExpiryField state={state} now={marketNow()} problem={at('expiry')} dispatch={dispatch} />
      <Note text={isKnown ? t('kindHint', kinds) : null} />
    </>
  )
}

type ModeSwitchProps = { mode: TicketMode; dispatch: Dispatch<TicketAction> }

/** At the market, or waiting for a price. */
const ModeSwitch = memo(function ModeSwitch({ mode, dispatch }: ModeSwitchProps) {
  const t = useTranslations('ticket')
  return (
    <Segmented
      label={t('mode')}
      options={[
        { value: 'market', label: t('market') },
        { value: 'pending', label: t('pending') },
      ]}
      value={mode}
      onChange={(next) => dispatch({ type: 'mode', mode: next })}
    />
  )
})

type LotsFieldProps = { view: TicketView; instrument: Instrument; problem: string | null }

function LotsField({ view, instrument, problem }: LotsFieldProps) {
  const t = useTranslations('ticket')
  const { lotStep, lotMin, lotMax } = instrument
  return (
    <NumberStepper
      label={t('lots')}
      decreaseLabel={t('fewerLots')}
      increaseLabel={t('moreLots')}
      value={view.state.lots}
      step={lotText(lotStep, lotStep)}
      min={lotText(lotMin, lotStep)}
      max={lotText(lotMax, lotStep)}
      problem={problem}
      onChange={(text) => view.dispatch({ type: 'lots', text })}
    />
  )
}

type TicketPriceProps = {
  field: PriceField
  label: string
  view: TicketView
  problem: string | null
}

function TicketPrice({ field, label, view, problem }: TicketPriceProps) {
  const t = useTranslations('ticket')
  const { state, dispatch, terms } = view
  const { instrument, quote } = terms
  const write = (text: string) => dispatch({ type: 'price', field, text })
  const step = (by: 1 | -1) => {
    if (!quote) return
    const now = valueOf(readPrice(state[field], instrument.priceDecimals, true))
    write(formatDecimal(steppedPrice(now, by, { instrument, quote }), instrument.priceDecimals))
  }
  const example = quote ? formatDecimal(midPrice(quote), instrument.priceDecimals) : ''
  return (
    <PriceStepper
      label={label}
      lowerLabel={t('lower', { field: t(field) })}
      raiseLabel={t('raise', { field: t(field) })}
      value={state[field]}
      placeholder={field === 'target' ? example : t('none')}
      problem={problem}
      isDisabled={quote === null}
      onType={write}
      onStep={step}
    />
  )
}

/** A stop's name and, once it suits one of the sides, what it would bring there. */
function useStopLabel(field: 'stopLoss' | 'takeProfit', { summary, problems }: TicketView): string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const side = sideSuited(field, problems)
  const profit = side && summary[side][field === 'stopLoss' ? 'atStopLoss' : 'atTakeProfit']
  return profit === null
    ? t(field)
    : t('atPrice', { field: t(field), profit: figures.fineText(profit, { sign: 'always' }) })
}

const sideSuited = (field: 'stopLoss' | 'takeProfit', { buy, sell }: TicketProblems): Side | null =>
  !buy[field] ? 'buy' : !sell[field] ? 'sell' : null

/** Said while a stop loss lies where the account would be stopped out first. */
function useStopLossNote({ state, terms, summary, problems }: TicketView): string | null {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { priceDecimals } = terms.instrument
  const side = sideSuited('stopLoss', problems)
  const stopLoss = valueOf(readPrice(state.stopLoss, priceDecimals, true))
  const stopOut = side && (summary[side].stopOut?.price ?? null)
  if (side === null || stopOut === null || !isBeyond({ side, stopLoss }, stopOut)) return null
  return t('stopLossBeyond', { price: figures.figure(stopOut, priceDecimals) })
}
