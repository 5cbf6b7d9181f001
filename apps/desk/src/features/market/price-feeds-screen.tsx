import {
  admitPrice,
  type FeedRow,
  feedsFile,
  type FeedSource,
  type HeldPrice,
  heldPricesFile,
  listFeeds,
  listHeldPrices,
  listRefusedPrices,
  type RefusedPrice,
  refusedPricesFile,
} from '@fairlot/contract/desk'
import { decimalText, fractionDigits } from '@fairlot/core/decimal'
import { Banner } from '@fairlot/ui/feedback/banner.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { decimal } from '../../i18n/figures.ts'
import { moment, since } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery, usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { SourceBadge } from './source-badge.tsx'

/** Labels of the tick guard's reasons. */
const REJECTION_LABELS: Readonly<Record<string, string>> = {
  notANumber: 'not a number',
  zero: 'zero',
  negative: 'below zero',
  crossed: 'bid above ask',
  outOfOrder: 'older than the last',
  future: 'ahead of the clock',
  wideSpread: 'spread too wide',
  outsideHours: 'outside hours',
  outOfBounds: 'out of bounds',
  suspect: 'outside the band',
}

/** The label of the reason why a price was rejected. */
const rejectionLabel = (reason: string): string => REJECTION_LABELS[reason] ?? reason

/** Refresh interval of the prices, ms. */
const REFRESH_MS = 2_000

type View = 'prices' | 'held' | 'rejected'

const FILES: Record<View, ReactNode> = {
  prices: <CsvButton key="prices" file={feedsFile} input={null} />,
  held: <CsvButton key="held" file={heldPricesFile} input={null} />,
  rejected: <CsvButton key="rejected" file={refusedPricesFile} input={{ instrumentId: null }} />,
}

/** Price sources, held prices and rejected prices. */
export function PriceFeedsScreen({ filter }: SectionPageProps) {
  const [view, setView] = useState<View>('prices')
  const { data, problem, retry } = useDeskQuery(listFeeds, null)
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && retry(), REFRESH_MS)
    return () => clearInterval(timer)
  })
  const held = data?.instruments.reduce((sum, row) => sum + row.held, 0) ?? 0
  const views = [
    { value: 'prices', label: 'Prices' },
    { value: 'held', label: held > 0 ? `Held ${held}` : 'Held' },
    { value: 'rejected', label: 'Rejected' },
  ] as const
  return (
    <Page
      title="Market"
      filter={filter}
      file={FILES[view]}
      footer={data && <Sources sources={data.sources} />}
    >
      {data?.instruments.some(({ kind }) => kind === 'simulated') && (
        <div className="pb-2">
          <Banner icon={FlaskConical}>Some prices here are simulated and marked as such.</Banner>
        </div>
      )}
      <div className="max-w-md pb-2">
        <Segmented label="Feeds" track="surface" options={views} value={view} onChange={setView} />
      </div>
      {view === 'prices' && (
        <DataTable
          label="Prices by instrument"
          columns={COLUMNS}
          rows={data?.instruments}
          keyOf={({ instrumentId }) => instrumentId}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No instruments' }}
        />
      )}
      {view === 'held' && <HeldPrices />}
      {view === 'rejected' && <RejectedPrices />}
    </Page>
  )
}

const COLUMNS: readonly Column<FeedRow>[] = [
  { key: 'code', title: 'Instrument', cell: ({ code }) => asName(code), onPhone: 'title' },
  { key: 'kind', title: 'Source', cell: (row) => <SourceCell row={row} /> },
  { key: 'age', title: 'Age', cell: (row) => <Age row={row} />, align: 'end', onPhone: 'figure' },
  { key: 'rate', title: 'Per minute', cell: ({ perMinute }) => perMinute, align: 'end', onPhone: 'hidden' },
  { key: 'bid', title: 'Bid', cell: (row) => feedPriceText(row, row.bid), align: 'end' },
  { key: 'ask', title: 'Ask', cell: (row) => feedPriceText(row, row.ask), align: 'end' },
  {
    key: 'spread',
    title: 'Spread',
    cell: (row) => feedPriceText(row, row.spread),
    align: 'end',
    onPhone: 'hidden',
  },
  { key: 'held', title: 'Held', cell: ({ held }) => held || '', align: 'end', onPhone: 'hidden' },
  {
    key: 'refused',
    title: 'Rejected',
    cell: ({ refused }) =>
      refused.map(({ reason, count }) => `${rejectionLabel(reason)} ${count}`).join(', '),
  },
]

/** The current source, and the preferred one if that is not in use. */
const SourceCell = ({ row: { kind, source, sourceOrder } }: { row: FeedRow }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <SourceBadge kind={kind} />
    {source !== kind && <Name className="text-second">{source}</Name>}
    {source !== null && sourceOrder.length > 0 && sourceOrder[0] !== source && (
      <span className="text-danger">
        replaces <Name>{sourceOrder[0]}</Name>
      </span>
    )}
  </span>
)

/** A price with as many decimals as the bid and ask of its row. */
function feedPriceText({ bid, ask }: FeedRow, value: FeedRow['bid']): string {
  if (value === null) return '–'
  const digits = [bid, ask, value].map((each) => (each === null ? 0 : fractionDigits(decimalText(each))))
  return decimal(decimalText(value, Math.max(...digits)))
}

/** The age of a price, red if it is too old to fill orders while the market is open. */
function Age({ row: { ageMs, freshnessMs, isOpen } }: { row: FeedRow }) {
  if (ageMs === null) return <span className="text-second">none yet</span>
  const isStale = ageMs > freshnessMs
  const text = ageMs < 60_000 ? `${(ageMs / 1000).toFixed(1)} s` : `${Math.round(ageMs / 60_000)} min`
  return (
    <span className={isStale && isOpen ? 'text-danger' : isStale ? 'text-second' : 'text-up'}>{text}</span>
  )
}

const Sources = ({ sources }: { sources: readonly FeedSource[] }) => (
  <FigureRow>
    {sources.map(({ name, kind, received, broken, instruments }) => (
      <FigureCard key={name} label={name} value={`${instruments} instruments`}>
        <SourceBadge kind={kind} /> {decimal(received)} received
        {broken > 0 && <> · {decimal(broken)} unreadable</>}
      </FigureCard>
    ))}
  </FigureRow>
)

/** Held prices, which an operator or the next valid price can confirm. */
function HeldPrices() {
  const { data, problem, retry } = useDeskQuery(listHeldPrices, null)
  const mayAdmit = useMay('admitTick')
  const now = useNow()
  const [admitting, setAdmitting] = useState<HeldPrice | null>(null)
  const keyOf = ({ instrumentId, number }: HeldPrice) => `${instrumentId}:${number}`
  return (
    <>
      <DataTable
        label="Held prices"
        columns={heldColumns(now, mayAdmit ? setAdmitting : null)}
        rows={data?.prices}
        keyOf={keyOf}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No price is held',
          text: 'A price outside its band is held here until it is confirmed.',
        }}
      />
      {admitting && <AdmitDialog price={admitting} onClose={() => setAdmitting(null)} />}
    </>
  )
}

const heldColumns = (
  now: number,
  onAdmit: ((price: HeldPrice) => void) | null,
): readonly Column<HeldPrice>[] => [
  { key: 'code', title: 'Instrument', cell: ({ code }) => asName(code), onPhone: 'title' },
  {
    key: 'sent',
    title: 'Bid / ask',
    cell: ({ bid, ask }) => `${decimal(bid)} / ${decimal(ask)}`,
    align: 'end',
  },
  {
    key: 'last',
    title: 'Last mid',
    cell: ({ lastMid }) => (lastMid === null ? 'none' : decimal(lastMid)),
    align: 'end',
  },
  {
    key: 'off',
    title: 'Deviation',
    cell: ({ offByPercent }) => (offByPercent === null ? '–' : `${decimal(offByPercent)} %`),
    align: 'end',
  },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => rejectionLabel(reason) },
  { key: 'source', title: 'Source', cell: ({ source }) => asName(source), onPhone: 'hidden' },
  { key: 'since', title: 'Waiting', cell: ({ at }) => since(at, now), align: 'end' },
  {
    key: 'admit',
    title: '',
    cell: (price) =>
      onAdmit && (
        <Button size="small" onClick={() => onAdmit(price)}>
          Admit
        </Button>
      ),
    align: 'end',
    onPhone: 'figure',
  },
]

const AdmitDialog = ({ price, onClose }: { price: HeldPrice; onClose: () => void }) => (
  <ReasonDialog
    title={`Admit the price of ${asName(price.code)}`}
    text="Compliance or an administrator must approve. No order is filled at this price: the next prices are compared with it, and receipts mention this until the market confirms it. The limit of ten times the price stays at the last market price."
    twoOperatorRule="heldPrice"
    endpoint={admitPrice}
    inputOf={(reason) => ({ instrumentId: price.instrumentId, number: price.number, reason })}
    changes={[
      {
        label: `${price.code}, by ${price.source}`,
        before: price.lastMid === null ? 'no price' : decimal(price.lastMid),
        after: `${decimal(price.bid)} / ${decimal(price.ask)}`,
      },
    ]}
    submitLabel="Request"
    done="Requested."
    topics={['waiting']}
    onClose={onClose}
  />
)

const rejectedColumns = (now: number): readonly Column<RefusedPrice>[] => [
  { key: 'code', title: 'Instrument', cell: ({ code }) => asName(code), onPhone: 'title' },
  { key: 'bid', title: 'Bid', cell: ({ bid }) => bid, align: 'end' },
  { key: 'ask', title: 'Ask', cell: ({ ask }) => ask, align: 'end' },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => rejectionLabel(reason), onPhone: 'figure' },
  { key: 'source', title: 'Source', cell: ({ source }) => asName(source) },
  { key: 'at', title: 'Received', cell: ({ at }) => moment(at, now), align: 'end' },
]

/** The newest rejected prices of each instrument, as their source sent them. */
function RejectedPrices() {
  const now = useNow()
  const { table } = usePaged(listRefusedPrices, { instrumentId: null }, { rowsOf: ({ prices }) => prices })
  return (
    <DataTable
      {...table}
      label="Rejected prices"
      columns={rejectedColumns(now)}
      keyOf={({ instrumentId, number }) => `${instrumentId}:${number}`}
      empty={{ title: 'No price was rejected' }}
    />
  )
}
