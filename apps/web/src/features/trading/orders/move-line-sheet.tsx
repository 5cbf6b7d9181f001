import { CallError, type InstrumentListing } from '@fairlot/contract'
import { fromTicks, price, type Price, toTicks } from '@fairlot/core'
import { decimalText } from '@fairlot/core/decimal'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount } from '../../../live/account/account.ts'
import { moveAlert } from '../../../live/account/alerts.ts'
import { changeStops } from '../../../live/account/orders.ts'
import { failureText } from '../../../live/requests/request.ts'
import { directionTo } from '../alerts/alert-texts.ts'
import { lotText } from '../lots-and-prices.ts'
import { type LineOf, profitAt, stopAt, type TradeLine } from '../trade-lines.ts'
import { useTradeMarket } from '../trade-market.ts'
import { refreshAfterFailure } from './close-position.tsx'
import { priceText } from './order-labels.tsx'

/** A line as it was moved by hand; `line` is undefined once its order or alert is over. `ticks` is the new price. */
type MovedLine = { readonly line: TradeLine | undefined; readonly ticks: number }

type MoveLineSheetProps = {
  listing: InstrumentListing
  /** Null while no line was moved. */
  moved: MovedLine | null
  /** The move was made or given up. */
  onClose: () => void
}

/** Asks once whether a line moves to where it was dragged. A rejected move stays open with the reason. */
export function MoveLineSheet({ listing, moved, onClose }: MoveLineSheetProps) {
  const t = useTranslations('app')
  // The sheet leaves with what it asked.
  const [shown, setShown] = useState(moved)
  if (moved && (moved.line !== shown?.line || moved.ticks !== shown?.ticks)) setShown(moved)
  const title = useTitle(listing, shown)
  return (
    <Sheet isOpen={moved !== null} onClose={onClose} title={title} closeLabel={t('close')}>
      {shown && (
        <Move key={`${shown.line?.id} ${shown.ticks}`} listing={listing} moved={shown} onClose={onClose} />
      )}
    </Sheet>
  )
}

function useTitle(listing: InstrumentListing, moved: MovedLine | null): string {
  const t = useTranslations('chart')
  const { figures } = useLocale()
  const market = useTradeMarket(listing)
  if (!moved?.line) return asName(listing.showCode)
  const { of } = moved.line
  const to = fromTicks(price(moved.ticks), listing.priceDecimals)
  const shown = asName(figures.decimal(to, { shown: listing.priceDecimals }))
  if (of.kind === 'alert') return t('moveAlertTitle', { price: shown })
  return of.kind === 'entry'
    ? t('newStopTitle', { kind: stopAt(of.order, moved.ticks, market), price: shown })
    : t('moveStopTitle', { kind: of.kind, price: shown })
}

function Move({ listing, moved: { line, ticks }, onClose }: MoveLineSheetProps & { moved: MovedLine }) {
  const t = useTranslations('chart')
  if (!line) return <MoveForm text={t('lineGone')} onClose={onClose} act={null} />
  return line.of.kind === 'alert' ? (
    <AlertMove listing={listing} alert={line.of.alert} ticks={ticks} onClose={onClose} />
  ) : (
    <StopMove listing={listing} of={line.of} ticks={ticks} onClose={onClose} />
  )
}

type StopMoveProps = {
  listing: InstrumentListing
  of: Exclude<LineOf, { kind: 'alert' }>
  ticks: number
  onClose: () => void
}

function StopMove({ listing, of: { kind, order }, ticks, onClose }: StopMoveProps) {
  const t = useTranslations('chart')
  const trailing = useTranslations('order')
  const { figures } = useLocale()
  const market = useTradeMarket(listing)
  const name = kind === 'entry' ? stopAt(order, ticks, market) : kind
  const booked = (at: Price | null): string => {
    const profit = profitAt(order, at, market)
    return profit === null ? '–' : asName(figures.money(profit, { sign: 'always' }))
  }
  const to = fromTicks(price(ticks), listing.priceDecimals)
  const sending = useMove(() => changeStops({ orderId: order.id, [name]: to }), onClose)
  const values = {
    side: order.side,
    lots: asName(figures.decimal(lotText(order.lots, order.instrument.lotStep))),
    booked: booked(price(ticks)),
  }
  const was = order[name]
  return (
    <MoveForm
      text={
        was === null
          ? t('newStopText', values)
          : t('moveStopText', { ...values, before: booked(toTicks(was, listing.priceDecimals)) })
      }
      onClose={onClose}
      act={{ ...sending, name: t(was === null ? 'set' : 'move') }}
    >
      {name === 'stopLoss' && order.trailingDistance !== null && (
        <p className="rounded-field bg-brass-tint px-3 py-2 text-note">
          {withNames(
            trailing('stopsEndTrailing', { stop: asName(priceText(figures, order.stopLoss, order)) }),
          )}
        </p>
      )}
    </MoveForm>
  )
}

type AlertMoveProps = {
  listing: InstrumentListing
  alert: Extract<LineOf, { kind: 'alert' }>['alert']
  ticks: number
  onClose: () => void
}

function AlertMove({
  listing,
  alert: { id, condition, pauseMs, expiresAt },
  ticks,
  onClose,
}: AlertMoveProps) {
  const t = useTranslations()
  const { quote } = useTradeMarket(listing)
  const side = condition.kind === 'price' ? condition.side : 'mid'
  const direction = quote && directionTo(ticks, side, quote)
  const sending = useMove(async () => {
    if (!direction) return
    const to = fromTicks(price(ticks), listing.priceDecimals)
    const next = { kind: 'price', instrumentId: listing.id, side, direction, price: to } as const
    await moveAlert(id, { condition: next, pauseMs, expiresAt })
  }, onClose)
  return (
    <MoveForm
      text={
        direction
          ? t('alert.fires', {
              side,
              direction,
              price: asName(
                decimalText(fromTicks(price(ticks), listing.priceDecimals), listing.priceDecimals),
              ),
            })
          : t('alert.reached')
      }
      onClose={onClose}
      act={direction && { ...sending, name: t('chart.move') }}
    />
  )
}

/** Sends a move; the reason of a rejection is shown in the sheet. */
function useMove(move: () => Promise<{ warning: string | null } | void>, onDone: () => void) {
  const app = useTranslations('app')
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: async () => {
      const done = await move()
      // The line stays where it was moved to until the account says the same.
      await refreshAccount()
      return done
    },
    onSuccess: (done) => {
      if (done?.warning) showToast({ text: done.warning, tone: 'problem', isPersistent: true })
      onDone()
    },
    onError: (error) => {
      refreshAfterFailure()
      setProblem(error instanceof CallError ? failureText(error.failure, app) : null)
    },
  })
  return { send: () => sending.mutate(), isBusy: sending.isPending, problem }
}

type MoveFormProps = {
  text: string
  onClose: () => void
  /** Makes the move; null while it cannot be made. */
  act: (ReturnType<typeof useMove> & { readonly name: string }) | null
  children?: ReactNode
}

function MoveForm({ text, onClose, act, children }: MoveFormProps) {
  const t = useTranslations('order')
  return (
    <div className="flex flex-col gap-3 pt-1 pb-2">
      <p>{withNames(text)}</p>
      {children}
      {act && act.problem !== null && (
        <p role="alert" className="rounded-field bg-danger-tint px-3 py-2 text-note">
          {act.problem}
        </p>
      )}
      <ButtonRow>
        <Button tone="outline" onClick={onClose}>
          {t('back')}
        </Button>
        {act && (
          <Button isBusy={act.isBusy} onClick={act.send}>
            {act.name}
          </Button>
        )}
      </ButtonRow>
    </div>
  )
}
