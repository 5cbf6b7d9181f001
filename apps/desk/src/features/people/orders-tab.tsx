import { PAGE_ROWS, type OrderView } from '@fairlot/contract'
import { listPersonOrders, personOrdersFile } from '@fairlot/contract/desk'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { useCallback, useState } from 'react'
import { signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { OrderActs, OrderDetail } from './order-detail.tsx'
import { END_WORDS, lotsText, priceText } from './order-words.ts'
import type { TabProps } from './person-props.ts'

const LISTS = [
  { value: 'holding', label: 'Open' },
  { value: 'pending', label: 'Pending' },
  { value: 'history', label: 'Ended' },
] as const
type List = (typeof LISTS)[number]['value']

const columnsAt = (now: number, list: List): readonly Column<OrderView>[] => [
  { key: 'id', title: 'Order', cell: ({ id }) => id, onPhone: 'hidden' },
  {
    key: 'what',
    title: 'What',
    cell: (order) => `${order.side} ${lotsText(order)} ${order.instrument.showCode}`,
    onPhone: 'title',
  },
  {
    key: 'price',
    title: list === 'pending' ? 'At' : 'Opened at',
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
    cell: ({ profit }) => (
      <span className={profit < 0n ? 'text-down' : profit > 0n ? 'text-up' : undefined}>
        {signedMoney(profit)}
      </span>
    ),
    align: 'end',
    onPhone: 'figure',
  },
  ...(list === 'history'
    ? [{ key: 'why', title: 'Ended by', cell: ({ endReason }: OrderView) => END_WORDS[endReason] }]
    : []),
  {
    key: 'at',
    title: list === 'history' ? 'Ended' : 'Since',
    cell: ({ endedAt, openedAt, createdAt }) => moment(endedAt ?? openedAt ?? createdAt, now),
    align: 'end',
  },
]

/** Prices of open orders move: asked again so often, ms. */
const PRICES_MS = 5_000

/** Orders of an account as their owner sees them; beside them the one that is open, with its receipts. */
export function OrdersTab({ person, frame }: TabProps) {
  const { id } = person.user
  const now = useNow()
  const mayClose = useMay('closeOrder')
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  const { table } = usePaged(
    listPersonOrders,
    { id, list },
    {
      ...{ rowsOf: ({ orders }: { orders: readonly OrderView[] }) => orders, pageRows: PAGE_ROWS },
      ...(list === 'holding' && { everyMs: PRICES_MS }),
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
              acts: mayClose && open.status === 'holding' && (
                <OrderActs key={open.id} personId={id} order={open} onDone={close} />
              ),
            }
          : null
      }
    >
      <Page {...frame} file={<CsvButton file={personOrdersFile} input={{ id, list }} of={person.user.uid} />}>
        <div className="flex flex-col gap-4">
          <div className="max-w-md">
            <Segmented label="Orders" trough="surface" options={LISTS} value={list} onChange={setList} />
          </div>
          <DataTable
            {...table}
            label="Orders"
            columns={columnsAt(now, list)}
            keyOf={(order) => order.id}
            selected={open?.id ?? null}
            onOpen={(order) => setOpenId(order.id)}
            empty={{ title: list === 'history' ? 'No order has ended yet' : 'None' }}
          />
        </div>
      </Page>
    </SplitView>
  )
}
