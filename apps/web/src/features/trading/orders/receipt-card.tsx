import type { Decimal, OrderView, Receipt } from '@fairlot/contract'
import { Check } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type Definition, DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { ReceiptProof, useReceiptCheck } from './receipt-proof.tsx'
import type { ReactNode } from 'react'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useInstruments } from '../../../live/market/instruments.ts'
import { priceText } from './order-labels.tsx'

type ReceiptCardProps = { receipt: Receipt; order: OrderView }

/** The proof of one decision: the tick it rests on, what was asked and what came of it. */
export function ReceiptCard({ receipt, order }: ReceiptCardProps) {
  const t = useTranslations('order')
  const checking = useReceiptCheck(receipt, order)
  return (
    <section className="rounded-card px-3.5 py-2 ring-1 ring-line ring-inset">
      <h3 className="flex justify-between gap-4 py-1 font-bold">
        <span>{t(`receiptOf.${receipt.action}`)}</span>
        {checking.checked?.verdict.is === 'genuine' && (
          <span className="flex items-center gap-1 text-note font-medium text-brass">
            <Icon of={Check} size={16} />
            {t('checked')}
          </span>
        )}
      </h3>
      <DefinitionList rows={useReceiptRows(receipt, order)} />
      {receipt.hash !== null && <ReceiptProof hash={receipt.hash} checking={checking} />}
    </section>
  )
}

type Tick = NonNullable<Receipt['tick']>

/** "14:02:07.113": receipts are exact to the millisecond. */
const exactTime = (time: (at: number) => string, at: number): string =>
  `${time(at)}.${String(at % 1000).padStart(3, '0')}`

/** Figures side by side keep their order where one reads from right to left. */
const pair = (one: string, other: string, between = ' / '): ReactNode => (
  <bdi dir="ltr">{`${one}${between}${other}`}</bdi>
)

/** What a receipt proves, as rows; those that do not apply are left out. */
function useReceiptRows(receipt: Receipt, order: OrderView): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  const price = (value: Decimal | null) => priceText(figures, value, order)
  const conversion = useConversionRows(receipt)
  const { tick, requestedPrice, filledPrice, quoteSide } = receipt
  const rows: (Definition | null)[] = [
    { term: t('decidedBy'), value: t(`trigger.${receipt.trigger}`) },
    { term: t('decidedAt'), value: exactTime(moments.dateTime, receipt.at) },
    tick && { term: t('marketThen'), value: pair(price(tick.bid), price(tick.ask)) },
    tick === null || Number(tick.markUp) === 0
      ? null
      : { term: t('markUp'), value: <bdi dir="ltr">{price(tick.markUp)}</bdi> },
    tick && {
      term: t('tick'),
      value: pair(
        t('tickNumber', { seq: figures.count(tick.seq) }),
        exactTime(moments.time, tick.time),
        ' · ',
      ),
    },
    tick && { term: t('tickSource'), value: <bdi className="break-all">{tick.source}</bdi> },
    tick && { term: t('delay'), value: t('delayMs', { ms: figures.count(receipt.delayMs) }) },
    filledPrice === null
      ? null
      : { term: t('askedFilled'), value: pair(price(requestedPrice ?? filledPrice), price(filledPrice)) },
    receipt.terms === 0
      ? null
      : { term: t('terms'), value: t('termsVersion', { version: figures.count(receipt.terms) }) },
    filledPrice === null || quoteSide === null
      ? null
      : { term: t('filledOn'), value: t(`quoteSide.${quoteSide}`) },
    filledPrice === null ? null : { term: t('slip'), value: <Slippage receipt={receipt} order={order} /> },
    ...conversion,
  ]
  return rows.filter((row) => row !== null)
}

/** Which way a fill differs from what was asked for, in words. */
const slippageWord = (slippage: Decimal): 'none' | 'better' | 'worse' =>
  Number(slippage) === 0 ? 'none' : Number(slippage) < 0 ? 'worse' : 'better'

function Slippage({ receipt, order }: { receipt: Receipt; order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { slippage } = receipt
  const figure = figures.decimal(slippage, { sign: 'always', shown: order.instrument.priceDecimals })
  const word = slippageWord(slippage)
  return (
    <>
      <bdi dir="ltr">{figure}</bdi> {t(`slipWord.${word}`)}
    </>
  )
}

/** The ticks of the pairs that turned the result into the account's money. */
function useConversionRows({ conversion }: Receipt): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  const { instruments } = useInstruments()
  const price = (value: Decimal, tick: Tick) => {
    const listed = instruments?.find(({ id }) => id === tick.instrumentId)
    return figures.decimal(value, listed && { shown: listed.priceDecimals })
  }
  const nameOf = (id: number) => instruments?.find((listed) => listed.id === id)?.showCode ?? `${id}`
  return conversion.map((tick) => ({
    term: t('convertedWith', { code: nameOf(tick.instrumentId) }),
    value: (
      <>
        {pair(price(tick.bid, tick), price(tick.ask, tick))}
        <br />
        <span className="font-normal text-second">
          {pair(t('tickNumber', { seq: figures.count(tick.seq) }), exactTime(moments.time, tick.time), ' · ')}
        </span>
      </>
    ),
  }))
}
