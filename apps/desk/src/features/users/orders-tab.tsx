import { type Decimal, type OrderView, PAGE_ROWS, type Receipt } from '@fairlot/contract'
import { closeUserOrder, listUserOrders, userOrdersFile } from '@fairlot/contract/desk'
import type { CloseGround } from '@fairlot/core'
import { decimalText, fromUnits } from '@fairlot/core/decimal'
import { LOTS_DECIMALS } from '@fairlot/core/number'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { decimal, exactMoney, signedMoney } from '../../i18n/figures.ts'
import { clock, moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import type { TabProps } from './user-props.ts'
import { ROLE_NAMES } from '../../ui/operator-names.ts'

const LISTS = [
  { value: 'holding', label: 'Open' },
  { value: 'pending', label: 'Pending' },
  { value: 'history', label: 'Closed' },
] as const
type List = (typeof LISTS)[number]['value']

const columnsAt = (now: number, list: List): readonly Column<OrderView>[] => [
  { key: 'id', title: 'Order', cell: ({ id }) => id, onPhone: 'hidden' },
  {
    key: 'what',
    title: 'Order',
    cell: nameOf,
    onPhone: 'title',
  },
  {
    key: 'price',
    title: list === 'pending' ? 'Price' : 'Opened at',
    cell: (order) => priceText(order, order.openPrice ?? order.acceptedPrice),
    align: 'end',
  },
  {
    key: 'now',
    title: list === 'history' ? 'Closed at' : 'Now',
    cell: (order) => (order.currentPrice === null ? '–' : priceText(order, order.currentPrice)),
    align: 'end',
  },
  {
    key: 'profit',
    title: 'Result',
    cell: ({ profit }) => <SignedMoney units={profit} />,
    align: 'end',
    onPhone: 'figure',
  },
  ...(list === 'history'
    ? [{ key: 'why', title: 'Closed by', cell: ({ endReason }: OrderView) => END_LABELS[endReason] }]
    : []),
  {
    key: 'at',
    title: list === 'history' ? 'Ended' : 'Since',
    cell: ({ endedAt, openedAt, createdAt }) => moment(endedAt ?? openedAt ?? createdAt, now),
    align: 'end',
  },
]

/** Refresh interval of open orders, whose prices move, ms. */
const PRICES_MS = 5_000

/** A user's orders as the user sees them, and the selected one with its receipts. */
export function OrdersTab({ profile, page }: TabProps) {
  const { id } = profile.user
  const now = useNow()
  const mayClose = useMay('closeOrder')
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  const { table } = usePaged(
    listUserOrders,
    { id, list },
    {
      rowsOf: ({ orders }: { orders: readonly OrderView[] }) => orders,
      pageRows: PAGE_ROWS,
      ...(list === 'holding' && { refreshMs: PRICES_MS }),
    },
  )
  const open = table.rows?.find((order) => order.id === openId)
  const close = useCallback(() => setOpenId(null), [])
  return (
    <SplitView
      onClose={close}
      detail={
        open
          ? {
              name: `Order ${open.id}`,
              body: <OrderDetail order={open} />,
              actions: mayClose && open.status === 'holding' && (
                <OrderActions key={open.id} accountId={id} order={open} onDone={close} />
              ),
            }
          : null
      }
    >
      <Page {...page} file={<CsvButton file={userOrdersFile} input={{ id, list }} of={profile.user.uid} />}>
        <div className="flex flex-col gap-4">
          <div className="max-w-md">
            <Segmented label="Orders" track="surface" options={LISTS} value={list} onChange={setList} />
          </div>
          <DataTable
            {...table}
            label="Orders"
            columns={columnsAt(now, list)}
            keyOf={(order) => order.id}
            selected={open?.id ?? null}
            onOpen={(order) => setOpenId(order.id)}
            empty={{
              title:
                list === 'history'
                  ? 'No closed orders yet'
                  : `No ${list === 'pending' ? 'pending' : 'open'} orders`,
            }}
          />
        </div>
      </Page>
    </SplitView>
  )
}

const END_LABELS: Record<OrderView['endReason'], string> = {
  none: '',
  user: 'the user',
  stopOut: 'stop-out',
  takeProfit: 'take profit',
  stopLoss: 'stop loss',
  operator: 'an operator',
  expired: 'its expiry',
  cancelledByUser: 'the user',
  notEnoughAtTrigger: 'not enough margin',
  stopPassed: 'its stop already passed',
  demoReset: 'demo reset',
  withdrawnByOperator: 'withdrawn',
  providerClosed: 'the provider',
  copyEnded: 'the end of the copy',
}

const TRIGGER_LABELS: Readonly<Record<Receipt['trigger'], string>> = {
  user: 'the user',
  target: 'the target price',
  takeProfit: 'take profit',
  stopLoss: 'stop loss',
  stopOut: 'stop-out',
  expiry: 'expiry',
  rollover: 'rollover',
  operator: 'an operator',
  copy: 'the provider',
}

const ACTION_LABELS: Record<Receipt['action'], string> = {
  place: 'Placed',
  open: 'Opened',
  close: 'Closed',
  cancel: 'Cancelled',
  finance: 'Swap',
}

/** A price with all decimals of its instrument. */
const priceText = ({ instrument }: Pick<OrderView, 'instrument'>, price: Decimal): string =>
  decimal(decimalText(price, instrument.priceDecimals))

/** `0.1 lots` */
const lotsText = ({ lots }: Pick<OrderView, 'lots'>): string =>
  `${decimalText(fromUnits(lots, LOTS_DECIMALS))} lots`

/** The grounds on which operators may close a position. */
const GROUND_LABELS: Readonly<Record<CloseGround, string>> = {
  ownerRequest: 'Requested by the owner',
  ownerDeceased: 'The owner has died',
  authorityOrder: 'Ordered by a court or an authority',
  accountEnds: 'The account is being closed',
  instrumentEnds: 'The instrument is no longer offered',
  termsBroken: 'The client agreement was broken',
}

/** `buy 0.1 lots EUR/USD` */
const nameOf = (order: OrderView): string =>
  `${order.side} ${lotsText(order)} ${asName(order.instrument.showCode)}`

/** One order with its receipts. */
function OrderDetail({ order }: { order: OrderView }) {
  const now = useNow()
  return (
    <>
      <DetailHead kind={`Order ${asName(order.id)}`} title={nameOf(order)} />
      <FactList facts={orderFacts(order, now)} />
      {order.endedBy && (
        <TitledBox title={`Closed by ${ROLE_NAMES[order.endedBy.role]}: reason shown to the user`}>
          {order.endedBy.reason}
        </TitledBox>
      )}
      {order.receipts.map((receipt) => (
        <ReceiptFacts key={`${receipt.at} ${receipt.hash}`} order={order} receipt={receipt} now={now} />
      ))}
    </>
  )
}

/** The grounds that an operator can choose; the receipt and the notice name the chosen one. */
const GROUNDS = (Object.keys(GROUND_LABELS) as CloseGround[]).map((value) => ({
  value,
  label: GROUND_LABELS[value],
}))

type OrderActionsProps = { accountId: number; order: OrderView; onDone: () => void }

/** Requests to close a position at the market price, which a second operator must approve. */
function OrderActions({ accountId, order, onDone }: OrderActionsProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const [ground, setGround] = useKeptState<CloseGround>(`ground ${order.id}`, 'ownerRequest')
  return (
    <>
      <Button tone="danger" onClick={() => setIsDialogOpen(true)}>
        Close at market price
      </Button>
      {isDialogOpen && (
        <ReasonDialog
          title={`Close order ${asName(order.id)}`}
          text={`${nameOf(order)} is closed in full at the market price once a second operator approves. The user sees your role, the time, the ground and the reason.`}
          endpoint={closeUserOrder}
          inputOf={(reason) => ({ id: accountId, orderId: order.id, ground, reason })}
          twoOperatorRule="closeOrder"
          topics={['waiting']}
          submitLabel="Request closing"
          tone="danger"
          done="Requested."
          onDone={onDone}
          onClose={() => setIsDialogOpen(false)}
        >
          <SelectField label="Ground for closing" value={ground} options={GROUNDS} onChange={setGround} />
        </ReasonDialog>
      )}
    </>
  )
}

const orderFacts = (order: OrderView, now: number): Fact[] => [
  { label: 'Leverage', value: `1:${order.leverage}` },
  { label: 'Opened at', value: order.openPrice === null ? 'not yet' : priceText(order, order.openPrice) },
  {
    label: order.endedAt === null ? 'Now' : 'Closed at',
    value: order.currentPrice === null ? '–' : priceText(order, order.currentPrice),
  },
  { label: 'Take profit', value: order.takeProfit === null ? 'none' : priceText(order, order.takeProfit) },
  { label: 'Stop loss', value: order.stopLoss === null ? 'none' : priceText(order, order.stopLoss) },
  { label: 'Margin', value: exactMoney(order.originalMargin) },
  { label: 'Fee', value: exactMoney(order.fee) },
  { label: 'Swap', value: signedMoney(order.swap) },
  { label: 'Result', value: signedMoney(order.profit) },
  { label: 'Placed', value: moment(order.createdAt, now) },
  ...(order.endedAt === null
    ? []
    : [{ label: 'Closed', value: `${asName(moment(order.endedAt, now))} · ${END_LABELS[order.endReason]}` }]),
]

type ReceiptProps = { order: OrderView; receipt: Receipt; now: number }

/** A receipt: the tick behind a decision, and its hash in the account's chain. */
const ReceiptFacts = ({ order, receipt, now }: ReceiptProps) => (
  <section
    aria-label={`Receipt: ${ACTION_LABELS[receipt.action]}`}
    className="rounded-card bg-page px-3.5 py-3"
  >
    <h3 className="text-note font-bold">
      {ACTION_LABELS[receipt.action]} · <Name>{moment(receipt.at, now)}</Name>
    </h3>
    <FactList facts={receiptFacts(order, receipt)} />
  </section>
)

const receiptFacts = (
  order: OrderView,
  { trigger, tick, filledPrice, slippage, delayMs, ruleVersion, terms, ground, hash }: Receipt,
): Fact[] => [
  { label: 'Triggered by', value: TRIGGER_LABELS[trigger] },
  ...(tick
    ? [
        { label: 'Tick', value: asName(`${tick.seq} · ${tick.source} · ${clock(tick.time)}`) },
        { label: 'Bid · ask', value: `${priceText(order, tick.bid)} · ${priceText(order, tick.ask)}` },
        ...(Number(tick.markUp) === 0
          ? []
          : [{ label: 'Mark-up per side', value: priceText(order, tick.markUp) }]),
      ]
    : []),
  ...(filledPrice === null
    ? []
    : [{ label: 'Filled at · slippage', value: `${priceText(order, filledPrice)} · ${decimal(slippage)}` }]),
  { label: 'Age of the tick', value: `${delayMs} ms` },
  ...(tick?.admitted === 'yes' ? [{ label: 'Reference', value: 'Approved by operators' }] : []),
  ...(ground ? [{ label: 'Ground for closing', value: GROUND_LABELS[ground] }] : []),
  { label: 'Rules · terms', value: asName(`${ruleVersion} · ${terms}`) },
  { label: 'Hash', value: hash === null ? 'not sealed yet' : `${hash.slice(0, 12)}…${hash.slice(-6)}` },
]
