import type { OrderView } from '@fairlot/contract'
import { closePersonOrder } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList, type Fact } from '@fairlot/ui/fact-list.tsx'
import { useState } from 'react'
import { exactMoney, signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { END_WORDS, lotsText, priceText } from './order-words.ts'
import { ReceiptFacts } from './receipt-facts.tsx'

const nameOf = (order: OrderView): string => `${order.side} ${lotsText(order)} ${order.instrument.showCode}`

/** One order with its receipts. */
export function OrderDetail({ order }: { order: OrderView }) {
  const now = useNow()
  return (
    <>
      <DetailHead kind={`Order ${order.id}`} title={nameOf(order)} />
      <FactList facts={factsOf(order, now)} />
      {order.endedBy && (
        <Passage title={`Closed by ${order.endedBy.role}, as the person reads it`}>
          {order.endedBy.reason}
        </Passage>
      )}
      {order.receipts.map((receipt) => (
        <ReceiptFacts key={`${receipt.at} ${receipt.hash}`} order={order} receipt={receipt} now={now} />
      ))}
    </>
  )
}

type OrderActsProps = { personId: number; order: OrderView; onDone: () => void }

/** Who may closes a position at the market's price from here. */
export function OrderActs({ personId, order, onDone }: OrderActsProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button tone="danger" onClick={() => setIsAsked(true)}>
        Close at the market's price
      </Button>
      {isAsked && (
        <ReasonDialog
          title={`Close order ${order.id}`}
          text={`${nameOf(order)}, whole, at the price that everybody gets at that moment. The person is told your role, the time and the reason.`}
          endpoint={closePersonOrder}
          inputOf={(reason) => ({ id: personId, orderId: order.id, reason })}
          sendLabel="Close it"
          tone="danger"
          done="Closed at the market's price."
          onDone={onDone}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

const factsOf = (order: OrderView, now: number): Fact[] => [
  { label: 'Leverage', value: `1:${order.leverage}` },
  { label: 'Opened at', value: order.openPrice === null ? 'not yet' : priceText(order, order.openPrice) },
  {
    label: order.endedAt === null ? 'Now' : 'Closed at',
    value: order.currentPrice === null ? '–' : priceText(order, order.currentPrice),
  },
  { label: 'Stop profit', value: order.takeProfit === null ? 'none' : priceText(order, order.takeProfit) },
  { label: 'Stop loss', value: order.stopLoss === null ? 'none' : priceText(order, order.stopLoss) },
  { label: 'Margin', value: exactMoney(order.originalMargin) },
  { label: 'Fee', value: exactMoney(order.fee) },
  { label: 'Financing', value: signedMoney(order.swap) },
  { label: 'Result', value: signedMoney(order.profit) },
  { label: 'Placed', value: moment(order.createdAt, now) },
  ...(order.endedAt === null
    ? []
    : [{ label: 'Ended', value: `${moment(order.endedAt, now)} · ${END_WORDS[order.endReason]}` }]),
]
