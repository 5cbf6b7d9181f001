import { type BookLine, type BookTotals, getExposure, exposureFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { decimal, money, signedMoney } from '../../i18n/figures.ts'
import { clock } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { LedgerField } from '../../ui/ledger-choice.tsx'
import { Page } from '../../ui/page.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { compactMoney, plotUnits } from '../../ui/plot/plot-figures.ts'
import { Signed } from '../../ui/signed.tsx'
import type { Column } from '../../ui/table-column.ts'
import type { RiskPageProps } from './risk-page-props.ts'

const EVERY_MS = 2_000
/** Instruments in the plot; the table has all. */
const PLOTTED = 12

const or = (value: bigint | null): string => (value === null ? 'no price' : money(value))

const COLUMNS: readonly Column<BookLine>[] = [
  { key: 'code', title: 'Instrument', cell: ({ code }) => code, onPhone: 'title' },
  { key: 'accounts', title: 'Accounts', cell: ({ accounts }) => accounts, align: 'end', onPhone: 'hidden' },
  {
    key: 'positions',
    title: 'Positions',
    phoneLabel: 'positions',
    cell: ({ positions }) => positions,
    align: 'end',
  },
  {
    key: 'long',
    title: 'Long, lots',
    cell: ({ longLots }) => decimal(longLots),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'short',
    title: 'Short, lots',
    cell: ({ shortLots }) => decimal(shortLots),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'net',
    title: 'Net, lots',
    phoneLabel: 'net lots',
    cell: ({ netLots }) => decimal(netLots),
    align: 'end',
  },
  {
    ...{ key: 'value', title: 'Net value', align: 'end', onPhone: 'figure' },
    cell: ({ netValue }) => <strong>{or(netValue)}</strong>,
  },
  {
    ...{ key: 'profit', title: "Clients' open profit", phoneLabel: 'clients', align: 'end' },
    cell: ({ clientsProfit }) => <Signed units={clientsProfit} />,
  },
]

/** What the clients hold, by instrument and in total, as prices move. */
export function ExposureScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const { data, problem, retry } = useDeskQuery(getExposure, { ledger }, { everyMs: EVERY_MS })
  return (
    <Page
      title="Risk"
      filter={filter}
      file={<CsvButton file={exposureFile} input={{ ledger }} of={ledger} />}
      actions={<LedgerField value={ledger} onChange={onLedger} />}
    >
      <div className="flex flex-col gap-3">
        {data && <Totals totals={data.totals} currency={data.currency} at={data.at} />}
        {data && data.instruments.length > 0 && <ExposurePlot lines={data.instruments} />}
        <DataTable
          label="Exposure by instrument"
          columns={COLUMNS}
          rows={data?.instruments}
          keyOf={({ instrumentId }) => instrumentId}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'Nobody holds anything', text: 'Open positions are summed here by instrument.' }}
        />
      </div>
    </Page>
  )
}

type TotalsProps = { totals: BookTotals; currency: string; at: number }

const Totals = ({ totals, currency, at }: TotalsProps) => (
  <FigureRow>
    <FigureCard label="Exposure, net" value={`${money(totals.netValue)} ${currency}`}>
      gross {money(totals.grossValue)} · {clock(at)} UTC
    </FigureCard>
    <FigureCard
      label="Open, of the house"
      value={signedMoney(-totals.clientsProfit)}
      tone={totals.clientsProfit > 0n ? 'down' : 'up'}
    >
      clients {signedMoney(totals.clientsProfit)}
    </FigureCard>
    <FigureCard label="Accounts with positions" value={`${totals.trading} of ${totals.accounts}`}>
      {totals.positions} positions, margin {money(totals.margin)}
    </FigureCard>
    <FigureCard
      label="Margin calls"
      value={totals.warned}
      {...(totals.warned > 0 && { tone: 'down' as const })}
    >
      {totals.stoppedOut} at the stop-out, waiting for a price
    </FigureCard>
  </FigureRow>
)

function ExposurePlot({ lines }: { lines: readonly BookLine[] }) {
  const shown = lines.slice(0, PLOTTED)
  const [largest] = shown
  return (
    <BarPlot
      title="Net value by instrument"
      summary={
        largest &&
        `largest ${largest.code}, ${or(largest.netValue)}: clients ${(largest.netValue ?? 0n) < 0n ? 'short' : 'long'}`
      }
      rows={shown.length}
      data={{
        labels: shown.map(({ code }) => code),
        series: [
          {
            name: 'Net value',
            tone: 'bySign',
            values: shown.map(({ netValue }) => plotUnits(netValue ?? 0n)),
          },
        ],
        isLying: true,
        format: compactMoney,
      }}
    />
  )
}
