import {
  fixedMargin,
  formatDecimal,
  type Instrument,
  isBeyondStopOutPrice,
  midPrice,
  type Side,
} from '@fairlot/core'
import { type Dispatch, memo, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { marketNow } from '../../../live/market/market-clock.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { TicketBasicsButton } from '../basics/basics-button.tsx'
import { firstPrice, lotText, nextPrice, parsePrice, valueOf } from '../lots-and-prices.ts'
import { PriceStepper, StopField } from './price-fields.tsx'
import { type Problem, shownProblems } from './evaluate-ticket.ts'
import {
  EXPIRIES,
  type Expiry,
  expiryOf,
  hasStops,
  parseExpiry,
  pricesForSide,
  sideOfStops,
  STOPS,
  stopsFrom,
  type TicketAction,
  type TicketField,
  type TicketMode,
  type TicketState,
} from './ticket-model.ts'
import type { LeverageOption, TicketView } from './use-ticket.ts'
import { Check, ChevronDown } from 'lucide-react'
import { controlClass, Field, TextField } from '@fairlot/ui/forms/field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'

type TicketFormProps = {
  view: TicketView
  columns: 1 | 2
  /** Shown at the end of the first line: the button that folds the form. */
  fold?: ReactNode
}

/** All fields of a ticket. A narrow place needs `columns` 1, so that prices have enough space. */
export function TicketForm({ view, columns, fold }: TicketFormProps) {
  const { state, dispatch, context } = view
  const { instrument } = context
  const text = useProblemText(instrument, {
    state,
    side: state.attempted ?? sideOfStops(state, view.problems),
    example: context.quote?.bid ?? 1,
  })
  const shown = shownProblems(state, view.problems)
  const at = (field: TicketField): string | null =>
    state.rejection?.field === field ? state.rejection.text : text(shown[field])
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        <ModeSwitch mode={state.mode} dispatch={dispatch} />
        <TicketBasicsButton view={view} />
        {fold}
      </div>
      <div className={classNames('grid items-start gap-2', columns === 2 && 'grid-cols-2')}>
        {state.mode === 'pending' && <PendingFields view={view} at={at} />}
        <LotsField view={view} problem={at('lots')} instrument={instrument} />
        <LeverageField
          options={view.leverageOptions}
          value={state.leverage}
          isMarginFixed={instrument.marginMode === 'fixed'}
          onChoose={(leverage) => dispatch({ type: 'leverage', leverage })}
        />
        <StopFields view={view} at={at} isSideAlwaysShown={columns === 1} />
        <Note text={useStopLossNote(view)} isWarning />
        <Note text={useFixedMarginNote(instrument)} />
      </div>
    </div>
  )
}

/** Margin of a lot in fixed margin mode; null where it depends on price and leverage. */
function useFixedMarginNote({ marginMode, contractSize }: Instrument): string | null {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return marginMode === 'fixed'
    ? t('marginFixed', { amount: asName(figures.money(fixedMargin(contractSize))) })
    : null
}

type NoteProps = { text: string | null; isWarning?: boolean }

/** A note on the fields above it, across all columns. */
const Note = ({ text, isWarning = false }: NoteProps) => (
  <p
    role="status"
    className={classNames('col-span-full text-note empty:hidden', isWarning ? 'text-danger' : 'text-second')}
  >
    {withNames(text)}
  </p>
)

type PendingFieldsProps = { view: TicketView; at: (field: TicketField) => string | null }

/** Fields of a pending order: its price, which decides between limit and stop, and its expiry. */
function PendingFields({ view, at }: PendingFieldsProps) {
  const t = useTranslations('ticket')
  const { state, dispatch, summary } = view
  const kinds = { buy: summary.buy.kind, sell: summary.sell.kind }
  const isKnown = kinds.buy !== 'market' && kinds.sell !== 'market'
  return (
    <>
      <TargetField view={view} problem={at('target')} />
      <ExpiryField state={state} now={marketNow()} problem={at('expiry')} dispatch={dispatch} />
      <Note text={isKnown ? t('kindHint', kinds) : null} />
    </>
  )
}

type ModeSwitchProps = { mode: TicketMode; dispatch: Dispatch<TicketAction> }

/** Market or pending order. */
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

type TargetFieldProps = { view: TicketView; problem: string | null }

/** The price that a pending order waits for. */
function TargetField({ view, problem }: TargetFieldProps) {
  const t = useTranslations('ticket')
  const { state, dispatch, context } = view
  const { instrument, quote } = context
  const write = (text: string) => dispatch({ type: 'price', field: 'target', text })
  const step = (direction: 1 | -1) => {
    if (!quote) return
    const now = valueOf(parsePrice(state.target, instrument.priceDecimals, true))
    const around = { instrument, reference: direction === 1 ? quote.ask : quote.bid }
    const next = now === null ? firstPrice(direction, around) : nextPrice(now, direction, around)
    write(formatDecimal(next, instrument.priceDecimals))
  }
  return (
    <PriceStepper
      label={t('target')}
      lowerLabel={t('lower', { field: t('target') })}
      raiseLabel={t('raise', { field: t('target') })}
      value={state.target}
      placeholder={quote ? formatDecimal(midPrice(quote), instrument.priceDecimals) : ''}
      problem={problem}
      isDisabled={quote === null}
      near={quote === null ? null : midPrice(quote) / 10 ** instrument.priceDecimals}
      onType={write}
      onStep={step}
    />
  )
}

type StopFieldsProps = {
  view: TicketView
  at: (field: TicketField) => string | null
  /** Shows the choice of the side even before a stop is set. */
  isSideAlwaysShown: boolean
}

/** Both stops and the side they are for; the Sell and Buy buttons stay one press away. */
function StopFields({ view, at, isSideAlwaysShown }: StopFieldsProps) {
  const { state, dispatch, context, summary, problems } = view
  const side = sideOfStops(state, problems)
  return (
    <>
      {(isSideAlwaysShown || hasStops(state) || state.awaitsSide !== null) && (
        <StopSide view={view} side={side} />
      )}
      {STOPS.map((name) => (
        <StopField
          key={name}
          name={name}
          value={state[name]}
          problem={at(name)}
          instrument={context.instrument}
          side={side}
          reference={side && stopsFrom(state, context, side)}
          openPrice={side && summary[side].price}
          profit={side && summary[side][name === 'stopLoss' ? 'atStopLoss' : 'atTakeProfit']}
          onType={(text) => dispatch({ type: 'price', field: name, text })}
          onSideNeeded={() => dispatch({ type: 'needSide', field: name })}
        />
      ))}
    </>
  )
}

const SIDES: readonly Side[] = ['sell', 'buy']

/** The side that the stops are for. Announced to screen readers when a press waits for it. */
function StopSide({ view, side }: { view: TicketView; side: Side | null }) {
  const t = useTranslations('ticket')
  const { state, dispatch, context } = view
  const isRequired = state.awaitsSide !== null || (hasStops(state) && side === null)
  const choose = (to: Side) => {
    const prices = Object.entries(pricesForSide(state, context, { from: side, to }))
    const written = prices.map(([name, ticks]) => [
      name,
      formatDecimal(ticks, context.instrument.priceDecimals),
    ])
    dispatch({ type: 'stopSide', side: to, prices: Object.fromEntries(written) })
  }
  return (
    <div className="col-span-full flex flex-wrap items-center gap-x-3">
      <p
        role="status"
        className={classNames(
          'min-w-24 flex-1',
          isRequired ? 'text-note font-medium text-ink' : 'text-tiny text-second',
        )}
      >
        {t(isRequired ? 'stopsForWhich' : 'stopsFor')}
      </p>
      <div className="min-w-40 flex-1">
        <Segmented
          label={t('stopsFor')}
          options={SIDES.map((value) => ({ value, label: t(value) }))}
          value={side}
          onChange={choose}
        />
      </div>
    </div>
  )
}

/** Warning while the stop loss lies beyond the stop-out price. */
function useStopLossNote({ state, context, summary, problems }: TicketView): string | null {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { priceDecimals } = context.instrument
  const side = sideOfStops(state, problems)
  const stopLoss = valueOf(parsePrice(state.stopLoss, priceDecimals, true))
  const stopOut = side && (summary[side].stopOut?.price ?? null)
  if (side === null || stopOut === null || !isBeyondStopOutPrice({ side, stopLoss }, stopOut)) return null
  return t('stopLossBeyond', { price: asName(figures.figure(stopOut, priceDecimals)) })
}

export type ProblemText = (problem: Problem | undefined) => string | null

type ProblemContext = {
  readonly state: TicketState
  /** The side of the problems; null when they concern both. */
  readonly side: Side | null
  /** A valid price as an example, in ticks. */
  readonly example: number
}

/** Writes problems in the user's language, each with a valid value. */
function useProblemText(instrument: Instrument, { state, side, example }: ProblemContext): ProblemText {
  const t = useTranslations('ticket.problem')
  const { figures } = useLocale()
  const price = (ticks: number): string => figures.figure(ticks, instrument.priceDecimals)
  const lots = (units: Instrument['lotMin']): string => figures.decimal(lotText(units, instrument.lotStep))
  return (problem) =>
    problem === undefined
      ? null
      : t(problem.code, {
          side: side ?? 'buy',
          min: lots(instrument.lotMin),
          max: lots(instrument.lotMax),
          step: asName(lots(instrument.lotStep)),
          lots: asName(state.lots),
          example: asName(formatDecimal(example, instrument.priceDecimals)),
          nearest: asName(price(problem.nearest ?? example)),
        })
}

type LeverageFieldProps = {
  options: readonly LeverageOption[]
  value: number | null
  /** The margin is the same at every leverage. */
  isMarginFixed: boolean
  onChoose: (leverage: number) => void
}

/** The instrument's leverages, each with its margin, in a sheet. */
function LeverageField({ options, value, isMarginFixed, onChoose }: LeverageFieldProps) {
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const [isOpen, setIsOpen] = useState(false)
  const choose = (leverage: number) => {
    setIsOpen(false)
    onChoose(leverage)
  }
  return (
    <Field label={t('leverage')}>
      {(ids) => (
        <>
          <button
            {...ids}
            type="button"
            disabled={value === null}
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            className={`${controlClass} flex items-center justify-center gap-1 font-bold`}
          >
            <span className="min-w-0 truncate">
              {value === null ? (
                <bdi>{t('none')}</bdi>
              ) : (
                <Name>{t('leverageValue', { leverage: value })}</Name>
              )}
            </span>
            {value !== null && <Icon of={ChevronDown} size={16} />}
          </button>
          <Sheet
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            title={t('leverageTitle')}
            closeLabel={app('close')}
          >
            <p className="pb-2 text-note text-second">
              {t(isMarginFixed ? 'leverageTextFixed' : 'leverageText')}
            </p>
            <ul className="divide-y divide-line">
              {options.map((option) => (
                <LeverageRow
                  key={option.leverage}
                  option={option}
                  isChosen={option.leverage === value}
                  onChoose={choose}
                />
              ))}
            </ul>
          </Sheet>
        </>
      )}
    </Field>
  )
}

type LeverageRowProps = { option: LeverageOption; isChosen: boolean; onChoose: (leverage: number) => void }

function LeverageRow({ option, isChosen, onChoose }: LeverageRowProps) {
  const t = useTranslations('ticket')
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(option.leverage)}
        className="flex min-h-13 w-full items-center gap-3 text-start"
      >
        <Name className="min-w-16 font-bold">{t('leverageValue', { leverage: option.leverage })}</Name>
        <span className="grow text-note text-second">
          {option.margin !== null && withNames(t('leverageMargin', { margin: asName(option.margin) }))}
        </span>
        {isChosen && <Icon of={Check} />}
      </button>
    </li>
  )
}

type ExpiryFieldProps = {
  state: TicketState
  /** Epoch ms on the market clock. */
  now: number
  problem: string | null
  dispatch: Dispatch<TicketAction>
}

/** Expiry of a pending order, in a sheet: a quick choice, or a date and time. */
function ExpiryField(props: ExpiryFieldProps) {
  const { state, now, problem } = props
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const { moments } = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const at = valueOf(parseExpiry(state))
  return (
    <Field label={t('expiry')} problem={problem}>
      {(ids) => (
        <>
          <button
            {...ids}
            type="button"
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            className={`${controlClass} flex items-center justify-center gap-1 font-bold`}
          >
            <span className="min-w-0 truncate">
              {at === null ? t(`expiries.${state.expiry}`) : <bdi>{moments.soon(at, now)}</bdi>}
            </span>
            <Icon of={ChevronDown} size={16} />
          </button>
          <Sheet
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            title={t('expiryTitle')}
            closeLabel={app('close')}
          >
            <p className="pb-2 text-note text-second">{t('expiryText')}</p>
            <Choices {...props} onDone={() => setIsOpen(false)} />
          </Sheet>
        </>
      )}
    </Field>
  )
}

function Choices({ state, now, problem, dispatch, onDone }: ExpiryFieldProps & { onDone: () => void }) {
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const choose = (expiry: Expiry) => {
    dispatch({ type: 'expiry', expiry, expiresAt: expiryOf(expiry, now) })
    if (expiry !== 'custom') onDone()
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {EXPIRIES.map((expiry) => (
          <ExpiryRow key={expiry} expiry={expiry} state={state} now={now} onChoose={choose} />
        ))}
      </ul>
      {state.expiry === 'custom' && (
        <div className="flex flex-col gap-3 pt-1">
          <TextField
            label={t('expiryCustom')}
            type="datetime-local"
            value={state.expiryText}
            problem={problem}
            onChange={(text) => dispatch({ type: 'expiryText', text })}
          />
          <Button isWide onClick={onDone}>
            {app('done')}
          </Button>
        </div>
      )}
    </>
  )
}

type ExpiryRowProps = {
  expiry: Expiry
  state: TicketState
  now: number
  onChoose: (expiry: Expiry) => void
}

function ExpiryRow({ expiry, state, now, onChoose }: ExpiryRowProps) {
  const t = useTranslations('ticket')
  const { moments } = useLocale()
  const isChosen = expiry === state.expiry
  const at = isChosen ? state.expiresAt : expiryOf(expiry, now)
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(expiry)}
        className="flex min-h-13 w-full items-center gap-3 text-start"
      >
        <span className="grow font-bold">{t(`expiries.${expiry}`)}</span>
        {at !== null && <bdi className="text-note text-second">{moments.soon(at, now)}</bdi>}
        <span className="w-5">{isChosen && <Icon of={Check} />}</span>
      </button>
    </li>
  )
}
