import {
  CallError,
  type Decimal,
  type Failure,
  type InstrumentListing,
  type OrderView,
} from '@fairlot/contract'
import {
  formatDecimal,
  fromTicks,
  type Instrument,
  larger,
  type Money,
  price,
  type Price,
  profitOf,
  toTicks,
  trailingStart,
} from '@fairlot/core'
import { decimalText, readDecimal } from '@fairlot/core/decimal'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { failureText } from '../../../live/requests/request.ts'
import { useInstrument } from '../../../live/market/instruments.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { changeStops, changeTrailing } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { StopField } from '../ticket/price-fields.tsx'
import { parsePrice, priceStep, type StopName, stopSide, valueOf } from '../lots-and-prices.ts'
import { useTradeMarket } from '../trade-market.ts'
import { entryPrice, priceText } from './order-labels.tsx'
import { refreshAfterFailure } from './close-position.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'

type Texts = Partial<Record<StopName, string>>
type Problems = Partial<Record<StopName, string>>

const NOTHING_TYPED: Texts = {}

const NAMES: readonly StopName[] = ['stopLoss', 'takeProfit']
const FIELD_OF: Record<string, StopName> = {
  stopLossWrongSide: 'stopLoss',
  takeProfitWrongSide: 'takeProfit',
}

/** The failure at its field; one that concerns neither field is shown at the first. */
const problemsOf = ({ reason }: Failure, text: string | null): Problems =>
  text === null ? {} : { [FIELD_OF[reason] ?? 'stopLoss']: text }

type StopsFormProps = {
  order: OrderView
  /** Undefined for an instrument that is no longer listed. */
  listing: InstrumentListing | undefined
  onDone: () => void
}

/** Sets, moves or clears both stops of an order. */
export const StopsForm = ({ order, listing, onDone }: StopsFormProps) =>
  listing ? (
    <ListedStops order={order} listing={listing} onDone={onDone} />
  ) : (
    <StopsFields order={order} instrument={unlisted(order)} profitAt={() => null} onDone={onDone} />
  )

const unlisted = ({ instrument: { priceDecimals } }: OrderView): StopInstrument => ({
  priceDecimals,
  minStopDistance: price(1),
  allowsNegativePrice: false,
})

/** The form for a listed instrument, with the profit at each stop at the current conversion. */
function ListedStops({ order, listing, onDone }: StopsFormProps & { listing: InstrumentListing }) {
  const { instrument, rate } = useTradeMarket(listing)
  const openPrice = toTicks(entryPrice(order), instrument.priceDecimals)
  const profitAt = (close: Price): Money | null =>
    rate && openPrice !== null ? profitOf(instrument, { ...order, openPrice }, close, rate) : null
  return <StopsFields order={order} instrument={instrument} profitAt={profitAt} onDone={onDone} />
}

type StopInstrument = Pick<Instrument, 'priceDecimals' | 'minStopDistance' | 'allowsNegativePrice'>

type StopsProps = {
  order: OrderView
  instrument: StopInstrument
  /** Profit if the order closes at a price; null while unknown. */
  profitAt: (close: Price) => Money | null
  onDone: () => void
}

function StopsFields({ order, instrument, profitAt, onDone }: StopsProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { save, isSaving, texts, setText, problems } = useStops(order, onDone)
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h3 className="text-title font-bold">
        {withNames(t('stopsTitle', { code: asName(order.instrument.showCode) }))}
      </h3>
      <p className="text-note text-second">{t('stopsHint')}</p>
      {order.trailingDistance !== null && (
        <p className="rounded-field bg-brass-tint px-3 py-2 text-note">
          {withNames(t('stopsEndTrailing', { stop: asName(priceText(figures, order.stopLoss, order)) }))}
        </p>
      )}
      {NAMES.map((name) => (
        <StopOf
          key={name}
          name={name}
          order={order}
          instrument={instrument}
          profitAt={profitAt}
          text={texts[name] ?? textOf(order[name])}
          problem={problems[name] ?? null}
          onChange={(text) => setText(name, text)}
        />
      ))}
      <ButtonRow>
        <Button tone="outline" onClick={onDone}>
          {t('back')}
        </Button>
        <Button type="submit" isBusy={isSaving}>
          {t('save')}
        </Button>
      </ButtonRow>
    </form>
  )
}

type StopOfProps = Pick<StopsProps, 'order' | 'instrument' | 'profitAt'> & {
  name: StopName
  text: string
  problem: string | null
  onChange: (text: string) => void
}

function StopOf({ name, order, instrument, profitAt, text, problem, onChange }: StopOfProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { priceDecimals } = instrument
  const reference = stopReference({ ...order, ...useMarkToMarket(order) })
  const at = valueOf(parsePrice(text, priceDecimals, true))
  const isBelow = stopSide(name, order.side) === 'below'
  return (
    <StopField
      name={name}
      value={text}
      problem={problem}
      hint={
        reference &&
        t(isBelow ? 'stopLossHintBelow' : 'stopLossHintAbove', {
          price: asName(priceText(figures, reference, order)),
        })
      }
      instrument={instrument}
      side={order.side}
      reference={reference === null ? null : toTicks(reference, priceDecimals)}
      openPrice={toTicks(entryPrice(order), priceDecimals)}
      profit={at === null ? null : profitAt(at)}
      onType={onChange}
    />
  )
}

/** A stop as its field shows it; empty for none. */
const textOf = (stop: Decimal | null): string => (stop === null ? '' : decimalText(stop))

/**
 * The fields of both stops. Only what the user has typed is kept and sent: the other follows the order, which another
 * device or a trailing stop may change while the form is open.
 */
function useStops(order: OrderView, onDone: () => void) {
  const t = useTranslations('order')
  const app = useTranslations('app')
  const { figures } = useLocale()
  const [texts, setTexts] = useKeptState<Texts>(`stops ${order.id}`, NOTHING_TYPED)
  const [problems, setProblems] = useState<Problems>({})
  const allowsNegativePrice = useInstrument(order.instrument.id)?.allowsNegativePrice ?? false
  const change = useMutation({
    mutationFn: changeStops,
    onSuccess: ({ warning }) => {
      if (warning !== null) showToast({ text: warning, tone: 'problem', isPersistent: true })
      onDone()
    },
    onError: (error) => {
      refreshAfterFailure()
      if (error instanceof CallError) setProblems(problemsOf(error.failure, failureText(error.failure, app)))
    },
  })
  const save = () => {
    const typed = NAMES.flatMap((name) => {
      const text = texts[name]
      return text === undefined
        ? []
        : [{ name, stop: readStop(text, { allowsNegativePrice, ...order.instrument }) }]
    })
    if (typed.length === 0) return onDone()
    const unreadable = typed.filter(({ stop }) => stop.kind === 'unreadable')
    const example = priceText(figures, stopReference(order) ?? order.acceptedPrice, order)
    if (unreadable.length > 0)
      return setProblems(
        Object.fromEntries(
          unreadable.map(({ name }) => [name, t('notANumber', { example: asName(example) })]),
        ),
      )
    const changed = typed.map(({ name, stop }) => [name, stop.kind === 'price' ? stop.price : null])
    change.mutate({
      orderId: order.id,
      ...(Object.fromEntries(changed) as Partial<Record<StopName, Decimal | null>>),
    })
  }
  const setText = (name: StopName, text: string) => {
    setTexts((before) => ({ ...before, [name]: text }))
    setProblems(({ [name]: _, ...others }) => others)
  }
  return { save, isSaving: change.isPending, texts, setText, problems }
}

type TrailingFormProps = { order: OrderView; listing: InstrumentListing; onDone: () => void }

/** Turns the trailing stop on, with its distance, or off. */
export function TrailingForm({ order, listing, onDone }: TrailingFormProps) {
  const t = useTranslations('order')
  const { priceDecimals } = order.instrument
  const shown = (ticks: Price): string => formatDecimal(ticks, priceDecimals)
  const { now, minDistance } = usePrices(order, listing)
  const [suggested] = useState(() => shown(suggestedDistance(now, minDistance)))
  const set = order.trailingDistance === null ? null : decimalText(order.trailingDistance, priceDecimals)
  // Null until the user types: a distance that another device sets meanwhile is shown, and not replaced.
  const [typed, setTyped] = useKeptState<string | null>(`trailing ${order.id}`, null)
  const text = typed ?? set ?? suggested
  const { change, problem, forget } = useTrailing(order, onDone)
  const distance = readStop(text, { priceDecimals, allowsNegativePrice: false })
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === null && set !== null) onDone()
        else if (distance.kind === 'price') change.mutate(distance.price)
      }}
    >
      <h3 className="text-title font-bold">
        {withNames(t('trailingTitle', { code: asName(order.instrument.showCode) }))}
      </h3>
      <p className="text-note text-second">{t('trailingHint', { side: order.side })}</p>
      <NumberStepper
        label={t('distance')}
        decreaseLabel={t('nearer')}
        increaseLabel={t('farther')}
        value={text}
        step={shown(price(priceStep(now)))}
        min={shown(minDistance)}
        problem={
          distance.kind === 'price' ? problem : t('notADistance', { example: asName(shown(minDistance)) })
        }
        onChange={(next) => {
          forget()
          setTyped(next)
        }}
      />
      <TrailingStart order={order} now={now} distance={distance.kind === 'price' ? distance.price : null} />
      {order.trailingDistance !== null && (
        <Button tone="outline" isBusy={change.isPending} onClick={() => change.mutate(null)}>
          {t('stopFollowing')}
        </Button>
      )}
      <ButtonRow>
        <Button tone="outline" onClick={onDone}>
          {t('back')}
        </Button>
        <Button type="submit" isBusy={change.isPending} disabled={distance.kind !== 'price'}>
          {t(order.trailingDistance === null ? 'follow' : 'saveDistance')}
        </Button>
      </ButtonRow>
    </form>
  )
}

/** The current closing price and the smallest distance, in ticks. */
function usePrices(order: OrderView, listing: InstrumentListing): { now: Price; minDistance: Price } {
  const { priceDecimals } = order.instrument
  const ticks = (value: Decimal) => toTicks(value, priceDecimals) ?? price(0)
  const now = useMarkToMarket(order).currentPrice ?? order.acceptedPrice
  return { now: ticks(now), minDistance: larger(ticks(listing.minStopDistance), price(1)) }
}

/** Price at which the trailing stop would start now. */
function TrailingStart({ order, now, distance }: { order: OrderView; now: Price; distance: Decimal | null }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { priceDecimals } = order.instrument
  const ticks = distance === null ? null : toTicks(distance, priceDecimals)
  if (ticks === null) return null
  const start = fromTicks(startOf(order, now, ticks), priceDecimals)
  return (
    <p className="text-note text-second">
      {withNames(
        t('trailingStart', {
          start: asName(priceText(figures, start, order)),
          now: asName(priceText(figures, fromTicks(now, priceDecimals), order)),
        }),
      )}
    </p>
  )
}

function useTrailing(order: OrderView, onDone: () => void) {
  const t = useTranslations('order')
  const app = useTranslations('app')
  const { figures } = useLocale()
  const [problem, setProblem] = useState<string | null>(null)
  const change = useMutation({
    mutationFn: (distance: Decimal | null) => changeTrailing({ orderId: order.id, distance }),
    onSuccess: (changed) => {
      const stop = asName(priceText(figures, changed.stopLoss, changed))
      showToast({ text: t(changed.trailingDistance === null ? 'followingStopped' : 'following', { stop }) })
      onDone()
    },
    onError: (error) => {
      refreshAfterFailure()
      if (error instanceof CallError) setProblem(failureText(error.failure, app))
    },
  })
  return { change, problem, forget: () => setProblem(null) }
}

/** A typed stop: nothing, a price, or unreadable text. */
type TypedStop = { kind: 'none' } | { kind: 'price'; price: Decimal } | { kind: 'unreadable' }

type PriceRule = Pick<InstrumentListing, 'priceDecimals' | 'allowsNegativePrice'>

/**
 * Reads a stop as its field passes it on; 0 means none, as in the API. Too many decimals, or a minus where the
 * instrument has no negative prices, are unreadable.
 */
export function readStop(text: string, { priceDecimals, allowsNegativePrice }: PriceRule): TypedStop {
  const typed = text.trim()
  if (typed === '') return { kind: 'none' }
  const price = readDecimal(typed, priceDecimals)
  if (price === 0) return { kind: 'none' }
  return price === null || (Number(price) < 0 && !allowsNegativePrice)
    ? { kind: 'unreadable' }
    : { kind: 'price', price }
}

/** The price from which a stop is measured: the closing price, or the target of a pending order. */
const stopReference = (order: Pick<OrderView, 'status' | 'acceptedPrice' | 'currentPrice'>): Decimal | null =>
  order.status === 'pending' ? order.acceptedPrice : order.currentPrice

/** The suggested distance in price steps: 0.2 % of the price. */
const SUGGESTED_STEPS = 20

/** The suggested trailing distance in ticks, at least twice the smallest distance. */
export const suggestedDistance = (now: Price, minDistance: Price): Price =>
  price(Math.max(SUGGESTED_STEPS * priceStep(now), 2 * minDistance))

/** Price in ticks at which a trailing stop of an order would start at the current price. */
export const startOf = (
  { side, stopLoss, instrument }: Pick<OrderView, 'side' | 'stopLoss' | 'instrument'>,
  now: Price,
  distance: Price,
): Price => {
  const existing = stopLoss === null ? null : toTicks(stopLoss, instrument.priceDecimals)
  return trailingStart({ side, stopLoss: existing }, now, distance)
}
