import { CallError } from '@fairlot/contract'
import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { fromTicks, larger, price, toTicks, decimalText, formatDecimal, type Price } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { failureText } from '../../../live/requests/failure-text.ts'
import { changeTrailing } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { NumberStepper } from '@fairlot/ui/number-stepper.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { priceStep } from '../ticket/stop-steps.ts'
import { priceText } from './order-labels.tsx'
import { offeredDistance, readStop, startOf } from './stops.ts'
import { refreshAfterFailure } from './use-closing.ts'

type TrailingFormProps = { order: OrderView; listing: InstrumentListing; onDone: () => void }

/** Lets the stop loss follow the price at a distance, or leaves it where it stands. */
export function TrailingForm({ order, listing, onDone }: TrailingFormProps) {
  const t = useTranslations('order')
  const { priceDecimals } = order.instrument
  const shown = (ticks: Price): string => formatDecimal(ticks, priceDecimals)
  const { now, least } = usePrices(order, listing)
  const [text, setText] = useState(() =>
    order.trailingDistance === null
      ? shown(offeredDistance(now, least))
      : decimalText(order.trailingDistance, priceDecimals),
  )
  const { change, problem, forget } = useTrailing(order, onDone)
  const distance = readStop(text, { priceDecimals, allowsNegativePrice: false })
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (distance.kind === 'price') change.mutate(distance.price)
      }}
    >
      <h3 className="text-title font-bold">{t('trailingTitle', { code: order.instrument.showCode })}</h3>
      <p className="text-note text-second">{t('trailingHint', { side: order.side })}</p>
      <NumberStepper
        label={t('distance')}
        decreaseLabel={t('nearer')}
        increaseLabel={t('farther')}
        value={text}
        step={shown(price(priceStep(now)))}
        min={shown(least)}
        problem={distance.kind === 'price' ? problem : t('notADistance', { example: shown(least) })}
        onChange={(next) => {
          forget()
          setText(next)
        }}
      />
      <Start order={order} now={now} distance={distance.kind === 'price' ? distance.price : null} />
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

/** The closing price of now and the least distance, in ticks. */
function usePrices(order: OrderView, listing: InstrumentListing): { now: Price; least: Price } {
  const { priceDecimals } = order.instrument
  const ticks = (value: Decimal) => toTicks(value, priceDecimals) ?? price(0)
  const now = useMarkToMarket(order).currentPrice ?? order.acceptedPrice
  return { now: ticks(now), least: larger(ticks(listing.minStopDistance), price(1)) }
}

/** Where the stop would start now. */
function Start({ order, now, distance }: { order: OrderView; now: Price; distance: Decimal | null }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { priceDecimals } = order.instrument
  const ticks = distance === null ? null : toTicks(distance, priceDecimals)
  if (ticks === null) return null
  const start = fromTicks(startOf(order, now, ticks), priceDecimals)
  return (
    <p className="text-note text-second">
      {t('trailingStart', {
        start: priceText(figures, start, order),
        now: priceText(figures, fromTicks(now, priceDecimals), order),
      })}
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
      const stop = priceText(figures, changed.stopLoss, changed)
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
