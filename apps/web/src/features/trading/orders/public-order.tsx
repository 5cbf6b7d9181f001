import type { Decimal, StrategyOrder } from '@fairlot/contract'
import type { Money } from '@fairlot/core'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import { type Definition, DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { directionOfFigure } from '../../../i18n/number-format.ts'
import { lotsText, OrderLogo, priceText, SideLots } from './order-labels.tsx'
import { exactTime, pair } from './receipt.tsx'

type OrderProps = { order: StrategyOrder }
type Receipt = StrategyOrder['receipts'][number]

/** The instrument of an order as labels need it. */
const instrumentOf = ({ instrumentId: id, code, priceDecimals }: StrategyOrder) => ({
  instrument: { id, code, priceDecimals },
})

/** One closed order of somebody else's strategy; a tap opens the receipts of its fills. */
export function PublicOrder({ order }: OrderProps) {
  const t = useTranslations('app')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Head order={order} onOpen={() => setIsOpen(true)} />
      <Sheet isOpen={isOpen} title={order.code} closeLabel={t('close')} onClose={() => setIsOpen(false)}>
        <div className="flex flex-col gap-3 pt-1 pb-4">
          {order.receipts.map((receipt, index) => (
            <PublicReceipt key={index} receipt={receipt} order={order} />
          ))}
        </div>
      </Sheet>
    </>
  )
}

function Head({ order, onOpen }: OrderProps & { onOpen: () => void }) {
  const { figures, moments } = useLocale()
  const [first, last] = [order.receipts[0], order.receipts.at(-1)]
  const price = (value: Decimal | null | undefined) => priceText(figures, value ?? null, instrumentOf(order))
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-16 w-full items-center gap-x-3 py-2.5 text-start active:bg-raised"
    >
      <OrderLogo {...instrumentOf(order)} />
      {/* Long texts wrap; the arrow stays at the end of the row. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-32 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <bdi translate="no" className="min-w-0 font-bold wrap-anywhere">
              {order.code}
            </bdi>
            <SideLots order={order} />
          </span>
          <bdi dir="ltr" translate="no" className="block truncate text-note text-second">
            {`${price(first?.price)} → ${price(last?.price)}`}
          </bdi>
        </span>
        <span className="ms-auto flex flex-col items-end">
          <Result units={order.result} />
          <span className="text-tiny text-second">{moments.dateTime(order.endedAt)}</span>
        </span>
      </span>
      <span className="-ms-1.5 shrink-0 text-third rtl:-scale-x-100">
        <Icon of={ChevronRight} size={16} />
      </span>
    </button>
  )
}

/** A published result: never hidden, as everybody sees it. */
function Result({ units }: { units: Money }) {
  const { figures } = useLocale()
  const text = figures.publicMoney(units, { sign: 'always' })
  return <ChangeFigure direction={directionOfFigure(text)} text={text} />
}

/** One fill: its tick, price, lots and result. */
function PublicReceipt({ receipt, order }: OrderProps & { receipt: Receipt }) {
  const t = useTranslations('order')
  return (
    <section className="rounded-card px-3.5 py-2 ring-1 ring-line ring-inset">
      <h3 className="py-1 font-bold">{t(`receiptOf.${receipt.action}`)}</h3>
      <DefinitionList rows={useRows(receipt, order)} />
    </section>
  )
}

/** Rows that do not apply are left out. */
function useRows({ at, action, tick, price, lots, result, ground }: Receipt, order: StrategyOrder) {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  const text = (value: Decimal) => priceText(figures, value, instrumentOf(order))
  const rows: (Definition | null)[] = [
    { term: t('decidedAt'), value: exactTime(moments.dateTime, at) },
    ground && { term: t('ground'), value: t(`grounds.${ground}`) },
    tick && { term: t('marketThen'), value: pair(text(tick.bid), text(tick.ask)) },
    tick === null || Number(tick.markUp) === 0
      ? null
      : {
          term: t('markUp'),
          value: (
            <bdi dir="ltr" translate="no">
              {text(tick.markUp)}
            </bdi>
          ),
        },
    tick?.admitted === 'yes' ? { term: t('reference'), value: t('referenceAdmitted') } : null,
    tick && {
      term: t('tick'),
      value: pair(
        t('tickNumber', { seq: figures.count(tick.seq) }),
        exactTime(moments.time, tick.time),
        ' · ',
      ),
    },
    tick && {
      term: t('tickSource'),
      value: (
        <bdi translate="no" className="break-all">
          {tick.source}
        </bdi>
      ),
    },
    price === null
      ? null
      : {
          term: t(action === 'open' ? 'filledAt' : 'closedAt'),
          value: (
            <bdi dir="ltr" translate="no">
              {text(price)}
            </bdi>
          ),
        },
    {
      term: t('lotsColumn'),
      value: (
        <bdi dir="ltr" translate="no">
          {lotsText(figures, lots)}
        </bdi>
      ),
    },
    result === null ? null : { term: t('profit'), value: <Result units={result} /> },
  ]
  return rows.filter((row) => row !== null)
}
