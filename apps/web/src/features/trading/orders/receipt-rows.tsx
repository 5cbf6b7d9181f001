import type { OrderView, Receipt } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useInstruments } from '../../../live/instruments.ts'
import type { Definition } from '../../../ui/definition-list.tsx'
import { priceText } from './order-words.ts'

type Tick = NonNullable<Receipt['tick']>

/** "14:02:07.113": receipts are exact to the millisecond. */
const exactTime = (time: (at: number) => string, at: number): string =>
  `${time(at)}.${String(at % 1000).padStart(3, '0')}`

/** Figures side by side keep their order where one reads from right to left. */
const pair = (one: string, other: string, between = ' / '): ReactNode => (
  <bdi dir="ltr">{`${one}${between}${other}`}</bdi>
)

/** What a receipt proves, as rows; those that do not apply are left out. */
export function useReceiptRows(receipt: Receipt, order: OrderView): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useSpeech()
  const price = (value: string | null) => priceText(figures, value, order)
  const conversion = useConversionRows(receipt)
  const { tick, requestedPrice, filledPrice, quoteSide } = receipt
  const rows: (Definition | null)[] = [
    { term: t('decidedBy'), value: t(`trigger.${receipt.trigger}`) },
    { term: t('decidedAt'), value: exactTime(moments.dateTime, receipt.at) },
    tick && { term: t('marketThen'), value: pair(price(tick.bid), price(tick.ask)) },
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
const slippageWord = (slippage: string): 'none' | 'better' | 'worse' =>
  slippage === '0' ? 'none' : slippage.startsWith('-') ? 'worse' : 'better'

function Slippage({ receipt, order }: { receipt: Receipt; order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
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
  const { figures, moments } = useSpeech()
  const { instruments } = useInstruments()
  const price = (value: string, tick: Tick) => {
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
