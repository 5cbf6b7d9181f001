import { type BookLine, type BookTotals, getExposure, exposureFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import {
  compactMoney,
  countText,
  decimal,
  gainTone,
  money,
  plotUnits,
  signedMoney,
} from '../../i18n/figures.ts'
import { clock } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { LedgerField } from '../../ui/ledger-field.tsx'
import { Page } from '../../ui/page.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import type { RiskPageProps } from './risk-page-props.ts'

const REFRESH_MS = 2_000
/** Instruments in the plot; the table has all. */
const PLOTTED = 12

const moneyOrNoPrice = (value: bigint | null): string => (value === null ? 'no price' : money(value))

const COLUMNS: readonly Column<BookLine>[] = [
  { key: 'code', title: 'Instrument', cell: ({ code }) => asName(code), onPhone: 'title' },
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
    key: 'value',
    title: 'Net value',
    align: 'end',
    onPhone: 'figure',
    cell: ({ netValue }) => <strong>{moneyOrNoPrice(netValue)}</strong>,
  },
  {
    key: 'profit',
    title: "Users' open profit",
    phoneLabel: 'users',
    align: 'end',
    cell: ({ usersProfit }) => <SignedMoney units={usersProfit} />,
  },
]

/** The users' exposure by instrument and in total, updated as prices move. */
export function ExposureScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const { data, problem, retry } = useDeskQuery(getExposure, { ledger }, { refreshMs: REFRESH_MS })
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
          empty={{ title: 'No open positions', text: 'Open positions are summed here by instrument.' }}
        />
      </div>
    </Page>
  )
}

type TotalsProps = { totals: BookTotals; currency: string; at: number }

const Totals = ({ totals, currency, at }: TotalsProps) => (
  <FigureRow>
    <FigureCard label="Net exposure" value={asName(`${money(totals.netValue)} ${currency}`)}>
      {withNames(`gross ${asName(money(totals.grossValue))} · ${asName(`${clock(at)} UTC`)}`)}
    </FigureCard>
    <FigureCard
      label="Broker's open result"
      value={asName(signedMoney(-totals.usersProfit))}
      tone={gainTone(-totals.usersProfit)}
    >
      {withNames(`users ${asName(signedMoney(totals.usersProfit))}`)}
    </FigureCard>
    <FigureCard
      label="Accounts with positions"
      value={`${totals.accountsWithPositions} of ${totals.accounts}`}
    >
      {withNames(`${countText(totals.positions, 'position')}, margin ${asName(money(totals.margin))}`)}
    </FigureCard>
    <FigureCard
      label="Margin calls"
      value={totals.accountsInMarginCall}
      {...(totals.accountsInMarginCall > 0 && { tone: 'down' as const })}
    >
      {totals.accountsAtStopOut} at stop-out, waiting for a price
    </FigureCard>
  </FigureRow>
)

function largestText({ code, netValue }: BookLine): string {
  if (netValue === null) return `largest ${code}, no price`
  const direction = netValue > 0n ? 'users long' : netValue < 0n ? 'users short' : 'long and short are equal'
  return `largest ${code}, ${money(netValue)}: ${direction}`
}

function ExposurePlot({ lines }: { lines: readonly BookLine[] }) {
  const shown = lines.slice(0, PLOTTED)
  const [largest] = shown
  return (
    <BarPlot
      title="Net value by instrument"
      summary={largest && largestText(largest)}
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
        isHorizontal: true,
        format: compactMoney,
      }}
    />
  )
}
