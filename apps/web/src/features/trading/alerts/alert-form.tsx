import { CallError, type Decimal, type InstrumentListing, type NewAlert } from '@fairlot/contract'
import { formatDecimal, fromTicks, MAX_ALERT_TERM_MS, price, type AlertSide, type Price } from '@fairlot/core'
import { readDecimal } from '@fairlot/core/decimal'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { setNewAlert } from '../../../live/account/alerts.ts'
import { useInstruments, useSelectedInstrument } from '../../../live/market/instruments.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { failureText } from '../../../live/requests/request.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { firstPrice, parsePrice, priceStep, valueOf } from '../lots-and-prices.ts'
import { useTradeMarket } from '../trade-market.ts'
import { directionTo, useAlertTexts } from './alert-texts.ts'

const MINUTE_MS = 60_000
/** Pauses on offer, in minutes; `once` fires once. */
const PAUSES = ['once', '15', '60', '240', '1440'] as const
type Pause = (typeof PAUSES)[number]

/** Where a form begins: a side, and a price in ticks if one was chosen on the chart. */
export type AlertStart = { readonly side: AlertSide; readonly ticks: number | null }

type AlertSheetProps = {
  /** Left out: the user chooses the instrument. */
  listing?: InstrumentListing
  start?: AlertStart
  isOpen: boolean
  onClose: () => void
}

const AT_MID: AlertStart = { side: 'mid', ticks: null }

/** Sets an alert on an instrument in a sheet. */
export function AlertSheet({ listing, start = AT_MID, isOpen, onClose }: AlertSheetProps) {
  const t = useTranslations()
  const name = listing?.showCode
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={name === undefined ? t('alert.new') : t('alert.newOn', { code: asName(name) })}
      closeLabel={t('app.close')}
    >
      {listing ? (
        <AlertForm key={`${listing.id} ${start.ticks}`} listing={listing} start={start} onDone={onClose} />
      ) : (
        <AlertOnAny onDone={onClose} />
      )}
    </Sheet>
  )
}

function AlertOnAny({ onDone }: { onDone: () => void }) {
  const t = useTranslations('alert')
  const { instruments = [] } = useInstruments()
  const selected = useSelectedInstrument()
  const [chosen, setChosen] = useKeptState<string | null>('alert', null)
  const listing = instruments.find(({ id }) => String(id) === chosen) ?? selected
  if (!listing) return null
  return (
    <>
      <SelectField
        label={t('instrument')}
        value={String(listing.id)}
        options={instruments.map(({ id, showCode }) => ({ value: String(id), label: asName(showCode) }))}
        onChange={setChosen}
      />
      <AlertForm key={listing.id} listing={listing} start={AT_MID} onDone={onDone} />
    </>
  )
}

type AlertFormProps = { listing: InstrumentListing; start: AlertStart; onDone: () => void }

/** A price or a move of the day, and how often the alert fires. */
export function AlertForm({ listing, start, onDone }: AlertFormProps) {
  const t = useTranslations('alert')
  const name = `alert ${listing.id} ${start.ticks}`
  const [kind, setKind] = useKeptState<'price' | 'dayMove'>(name, 'price')
  const kinds = [
    { value: 'price', label: t('kindPrice') },
    { value: 'dayMove', label: t('kindMove') },
  ] as const
  return (
    <div className="flex flex-col gap-3 pt-2">
      <Segmented label={t('kind')} options={kinds} value={kind} onChange={setKind} />
      {kind === 'price' ? (
        <PriceForm name={`${name} price`} listing={listing} start={start} onDone={onDone} />
      ) : (
        <MoveForm name={`${name} move`} listing={listing} onDone={onDone} />
      )}
    </div>
  )
}

const SIDES: readonly AlertSide[] = ['bid', 'mid', 'ask']

/** `name`: under which what is typed is kept when the session ends. */
type KindProps = AlertFormProps & { name: string }

function PriceForm({ name, listing, start, onDone }: KindProps) {
  const t = useTranslations('alert')
  const { price: shown } = useAlertTexts()
  const { instrument, quote } = useTradeMarket(listing)
  const { priceDecimals, allowsNegativePrice } = instrument
  const [side, setSide] = useKeptState(`${name} side`, start.side)
  const [typed, setTyped] = useKeptState<string | null>(name, null)
  const now = quote && midOf(quote)
  const first =
    start.ticks === null ? now && firstPrice(1, { instrument, reference: now }) : price(start.ticks)
  const text = typed ?? (first === null ? '' : formatDecimal(first, priceDecimals))
  const ticks = valueOf(parsePrice(text, priceDecimals, false))
  const direction = ticks !== null && quote ? directionTo(ticks, side, quote) : null
  const isReached = ticks !== null && quote !== null && direction === null
  const save = useSaving(onDone)
  const decimals = (value: Price): Decimal => fromTicks(value, priceDecimals)
  const example = first === null ? '1' : shown(decimals(first), listing)
  const problem =
    ticks === null ? t('notAPrice', { example: asName(example) }) : isReached ? t('reached') : save.problem
  const change = (next: string) => {
    save.forget()
    setTyped(next)
  }
  return (
    <SavingForm
      name={name}
      save={save}
      isDisabled={ticks === null || direction === null}
      conditionOf={() =>
        ticks === null || direction === null
          ? null
          : { kind: 'price', instrumentId: listing.id, side, direction, price: decimals(ticks) }
      }
    >
      <Segmented
        label={t('side')}
        options={SIDES.map((value) => ({ value, label: t('sideName', { side: value }) }))}
        value={side}
        onChange={setSide}
      />
      <NumberStepper
        label={t('price')}
        decreaseLabel={t('lower')}
        increaseLabel={t('higher')}
        value={text}
        step={formatDecimal(priceStep(now ?? price(1)), priceDecimals)}
        min={allowsNegativePrice ? '-1000000' : formatDecimal(1, priceDecimals)}
        problem={problem}
        near={now && now / 10 ** priceDecimals}
        onChange={change}
      />
      <p className="text-note text-second">
        {ticks !== null && direction !== null
          ? withNames(t('fires', { side, direction, price: asName(shown(decimals(ticks), listing)) }))
          : quote === null
            ? t('noPrice')
            : null}
      </p>
    </SavingForm>
  )
}

/** The mid in whole ticks. */
const midOf = ({ bid, ask }: { bid: Price; ask: Price }): Price => price(Math.round((bid + ask) / 2))

const PERCENT_DECIMALS = 4

function MoveForm({ name, listing, onDone }: Omit<KindProps, 'start'>) {
  const t = useTranslations('alert')
  const { figures } = useLocale()
  const [direction, setDirection] = useKeptState<'above' | 'below'>(`${name} direction`, 'above')
  const [text, setText] = useKeptState(name, '1')
  const percent = readDecimal(text.trim(), PERCENT_DECIMALS)
  const isPossible = percent !== null && Number(percent) > 0 && Number(percent) <= 100
  const save = useSaving(onDone)
  return (
    <SavingForm
      name={name}
      save={save}
      isDisabled={!isPossible}
      conditionOf={() =>
        percent === null ? null : { kind: 'dayMove', instrumentId: listing.id, direction, percent }
      }
    >
      <Segmented
        label={t('direction')}
        options={(['above', 'below'] as const).map((value) => ({
          value,
          label: t('directionName', { direction: value }),
        }))}
        value={direction}
        onChange={setDirection}
      />
      <NumberStepper
        label={t('percent')}
        decreaseLabel={t('less')}
        increaseLabel={t('more')}
        value={text}
        step="0.1"
        min="0.1"
        max="100"
        problem={isPossible ? save.problem : t('notAPercentage')}
        onChange={(next) => {
          save.forget()
          setText(next)
        }}
      />
      <p className="text-note text-second">
        {isPossible &&
          withNames(t('firesOnMove', { direction, percent: asName(figures.percent(percent, { shown: 2 })) }))}
      </p>
    </SavingForm>
  )
}

type MarginAlertSheetProps = { isOpen: boolean; onClose: () => void }

/** Sets an alert on the margin level of the account in a sheet. */
export function MarginAlertSheet({ isOpen, onClose }: MarginAlertSheetProps) {
  const t = useTranslations()
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('alert.newMargin')} closeLabel={t('app.close')}>
      <MarginForm onDone={onClose} />
    </Sheet>
  )
}

const USUAL_LEVEL = '150'
const MARGIN_NAME = 'alert margin'

function MarginForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('alert')
  const { figures } = useLocale()
  const [text, setText] = useKeptState(MARGIN_NAME, USUAL_LEVEL)
  const level = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  const isPossible = level >= 1 && level <= 100_000
  const save = useSaving(onDone)
  return (
    <div className="pt-2">
      <SavingForm
        name={MARGIN_NAME}
        save={save}
        isDisabled={!isPossible}
        conditionOf={() => ({ kind: 'marginLevel', level })}
      >
        <NumberStepper
          label={t('level')}
          decreaseLabel={t('less')}
          increaseLabel={t('more')}
          value={text}
          step="5"
          min="1"
          max="100000"
          problem={isPossible ? save.problem : t('notALevel')}
          onChange={(next) => {
            save.forget()
            setText(next)
          }}
        />
        <p className="text-note text-second">
          {isPossible &&
            withNames(t('firesOnMargin', { level: asName(figures.percent(String(level), { shown: 0 })) }))}
        </p>
      </SavingForm>
    </div>
  )
}

type Saving = ReturnType<typeof useSaving>

/** Sends a new alert; a rejection is shown at the field. */
function useSaving(onDone: () => void) {
  const t = useTranslations('alert')
  const app = useTranslations('app')
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: (alert: NewAlert) => setNewAlert(alert),
    onSuccess: () => {
      showToast({ text: t('set') })
      onDone()
    },
    onError: (error) => {
      setProblem(error instanceof CallError ? failureText(error.failure, app) : null)
    },
  })
  return { send: sending.mutate, isBusy: sending.isPending, problem, forget: () => setProblem(null) }
}

type SavingFormProps = {
  name: string
  save: Saving
  isDisabled: boolean
  /** Null while the form is not complete. */
  conditionOf: () => NewAlert['condition'] | null
  children: ReactNode
}

/** The fields of a condition, how often it fires, and the button that sets it. */
function SavingForm({ name, save, isDisabled, conditionOf, children }: SavingFormProps) {
  const t = useTranslations('alert')
  const [pause, setPause] = useKeptState<Pause>(`${name} pause`, 'once')
  const expiry = useExpiry(`${name} expiry`)
  const pauseName = (value: Pause): string => {
    if (value === 'once') return t('once')
    const minutes = Number(value)
    if (minutes === 1_440) return t('again', { pause: t('days', { count: 1 }) })
    return t('again', {
      pause: minutes < 60 ? t('minutes', { count: minutes }) : t('hours', { count: minutes / 60 }),
    })
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const condition = conditionOf()
        const expiresAt = expiry.at()
        if (!condition || expiresAt === undefined) return
        save.send({ condition, pauseMs: pause === 'once' ? null : Number(pause) * MINUTE_MS, expiresAt })
      }}
    >
      {children}
      <SelectField
        label={t('repeat')}
        value={pause}
        options={PAUSES.map((value) => ({ value, label: pauseName(value) }))}
        onChange={setPause}
      />
      <ExpiryFields {...expiry} />
      <ButtonRow>
        <Button type="submit" isBusy={save.isBusy} disabled={isDisabled || expiry.problem !== null}>
          {t('setButton')}
        </Button>
      </ButtonRow>
    </form>
  )
}

/** The quick choices of an expiry, and a date and time. */
const EXPIRIES = ['never', 'day', 'week', 'month', 'custom'] as const
type AlertExpiry = (typeof EXPIRIES)[number]

const DAY_MS = 1_440 * MINUTE_MS
const AFTER_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const

type Expiry = ReturnType<typeof useExpiry>

/** The chosen expiry, and what is wrong with the entered one. */
function useExpiry(name: string) {
  const t = useTranslations('alert')
  const [chosen, setChosen] = useKeptState<AlertExpiry>(name, 'never')
  const [text, setText] = useKeptState(`${name} time`, '')
  const entered = Date.parse(text)
  const away = entered - marketNow()
  const problem =
    chosen !== 'custom'
      ? null
      : Number.isNaN(entered)
        ? t('expiryMissing')
        : away <= 0
          ? t('expiryInPast')
          : away > MAX_ALERT_TERM_MS
            ? t('expiryTooFar', { days: MAX_ALERT_TERM_MS / DAY_MS })
            : null
  return {
    chosen,
    setChosen,
    text,
    setText,
    problem,
    /** Epoch ms on the market clock; null: none; undefined: the entered one is impossible. */
    at: (): number | null | undefined => {
      if (problem !== null) return undefined
      if (chosen === 'never') return null
      return chosen === 'custom' ? entered : marketNow() + AFTER_MS[chosen]
    },
  }
}

function ExpiryFields({ chosen, setChosen, text, setText, problem }: Expiry) {
  const t = useTranslations('alert')
  return (
    <>
      <SelectField
        label={t('expiry')}
        value={chosen}
        options={EXPIRIES.map((value) => ({ value, label: t(`expiries.${value}`) }))}
        onChange={setChosen}
      />
      {chosen === 'custom' && (
        <TextField
          label={t('expiryCustom')}
          type="datetime-local"
          value={text}
          problem={problem}
          onChange={setText}
        />
      )}
    </>
  )
}
