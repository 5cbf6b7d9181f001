import type { OrderView, Receipt } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Definition } from '../../../ui/definition-list.tsx'
import { priceText } from './order-words.ts'

/** "14:02:07.113": receipts are exact to the millisecond. */
const exactTime = (time: (at: number) => string, at: number): string =>
  `${time(at)}.${String(at % 1000).padStart(3, '0')}`

const shortHash = (hash: string): string =>
  hash.length > 12 ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : hash

type ReceiptCardProps = { receipt: Receipt; order: OrderView }

/** The proof of one decision: the tick it rests on, what was asked and what came of it. */
export function ReceiptCard({ receipt, order }: ReceiptCardProps) {
  const t = useTranslations('order')
  const { moments } = useSpeech()
  return (
    <section className="rounded-card px-3.5 py-2 ring-1 ring-line ring-inset">
      <h3 className="flex justify-between gap-4 py-1 font-bold">
        <span>{t(`receiptOf.${receipt.action}`)}</span>
        <bdi dir="ltr" className="text-note font-medium text-brass">
          {exactTime(moments.time, receipt.at)}
        </bdi>
      </h3>
      <DefinitionList rows={useReceiptRows(receipt, order)} />
    </section>
  )
}

function useReceiptRows({ tick, ...receipt }: Receipt, order: OrderView): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useSpeech()
  const price = (value: string | null) => priceText(figures, value, order)
  const rows: Definition[] = [{ term: t('decidedBy'), value: t(`trigger.${receipt.trigger}`) }]
  if (tick) {
    rows.push({ term: t('marketThen'), value: pair(price(tick.bid), price(tick.ask)) })
    const number = t('tickNumber', { seq: figures.count(tick.seq) })
    rows.push({ term: t('tick'), value: pair(number, exactTime(moments.time, tick.time), ' · ') })
  }
  if (receipt.filledPrice !== null) {
    const asked = receipt.requestedPrice ?? receipt.filledPrice
    rows.push({ term: t('askedFilled'), value: pair(price(asked), price(receipt.filledPrice)) })
    rows.push({
      term: t('slip'),
      value: figures.decimal(receipt.slippage, { sign: 'always', shown: order.instrument.priceDecimals }),
    })
  }
  if (receipt.hash !== null) rows.push({ term: t('chain'), value: shortHash(receipt.hash) })
  return rows
}

const pair = (one: string, other: string, between = ' / ') => `${one}${between}${other}`
