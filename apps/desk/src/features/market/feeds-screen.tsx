import {
  listFeeds,
  type FeedRow,
  type FeedSource,
  feedsFile,
  heldPricesFile,
  refusedPricesFile,
} from '@fairlot/contract/desk'
import { decimalText, fractionDigits } from '@fairlot/core/decimal'
import { Banner } from '@fairlot/ui/banner.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { decimal } from '../../i18n/figures.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-column.ts'
import { refusalName } from './refusal-words.ts'
import { HeldPrices } from './held-prices.tsx'
import type { MarketPageProps } from './market-page.ts'
import { RefusedPrices } from './refused-prices.tsx'
import { SourceBadge } from './source-badge.tsx'

/** Prices move without a word of the server; so often they are looked at, ms. */
const LOOK_MS = 2_000

type View = 'prices' | 'held' | 'refused'

const FILES: Record<View, ReactNode> = {
  prices: <CsvButton key="prices" file={feedsFile} input={null} />,
  held: <CsvButton key="held" file={heldPricesFile} input={null} />,
  refused: <CsvButton key="refused" file={refusedPricesFile} input={{ instrumentId: null }} />,
}

/** Where prices come from, what is held, and what was refused. */
export function FeedsScreen({ filter }: MarketPageProps) {
  const [view, setView] = useState<View>('prices')
  const { data, problem, retry } = useDeskQuery(listFeeds, null)
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && retry(), LOOK_MS)
    return () => clearInterval(timer)
  })
  const held = data?.instruments.reduce((sum, row) => sum + row.held, 0) ?? 0
  const views = [
    { value: 'prices', label: 'Prices' },
    { value: 'held', label: held > 0 ? `Held ${held}` : 'Held' },
    { value: 'refused', label: 'Refused' },
  ] as const
  return (
    <Page title="Market" filter={filter} file={FILES[view]} foot={data && <Sources sources={data.sources} />}>
      {data?.instruments.some(({ kind }) => kind === 'simulated') && (
        <div className="pb-2">
          <Banner icon={FlaskConical}>Some prices here are simulated, and marked so.</Banner>
        </div>
      )}
      <div className="max-w-md pb-2">
        <Segmented label="Feeds" trough="surface" options={views} value={view} onChange={setView} />
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
      {view === 'refused' && <RefusedPrices />}
    </Page>
  )
}

const COLUMNS: readonly Column<FeedRow>[] = [
  { key: 'code', title: 'Instrument', cell: ({ code }) => code, onPhone: 'title' },
  { key: 'kind', title: 'Source', cell: (row) => <SourceCell row={row} /> },
  { key: 'age', title: 'Age', cell: (row) => <Age row={row} />, align: 'end', onPhone: 'figure' },
  { key: 'rate', title: 'A minute', cell: ({ perMinute }) => perMinute, align: 'end', onPhone: 'hidden' },
  { key: 'bid', title: 'Bid', cell: (row) => priceText(row, row.bid), align: 'end' },
  { key: 'ask', title: 'Ask', cell: (row) => priceText(row, row.ask), align: 'end' },
  {
    key: 'spread',
    title: 'Spread',
    cell: (row) => priceText(row, row.spread),
    align: 'end',
    onPhone: 'hidden',
  },
  { key: 'held', title: 'Held', cell: ({ held }) => held || '', align: 'end', onPhone: 'hidden' },
  {
    key: 'refused',
    title: 'Refused',
    cell: ({ refused }) => refused.map(({ reason, count }) => `${refusalName(reason)} ${count}`).join(', '),
  },
]

/** Which source it is, and for which it stands in where it is not the preferred one. */
const SourceCell = ({ row: { kind, source, sourceOrder } }: { row: FeedRow }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <SourceBadge kind={kind} />
    {source !== kind && <span className="text-second">{source}</span>}
    {source !== null && sourceOrder.length > 0 && sourceOrder[0] !== source && (
      <span className="text-danger">stands in for {sourceOrder[0]}</span>
    )}
  </span>
)

/** A price with as many digits as the others of its row. */
function priceText({ bid, ask }: FeedRow, value: FeedRow['bid']): string {
  if (value === null) return '–'
  const digits = [bid, ask, value].map((each) => (each === null ? 0 : fractionDigits(decimalText(each))))
  return decimal(decimalText(value, Math.max(...digits)))
}

/** Red where it is too old to fill anything while its market is open. */
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
