import { getBrokerResult, type BrokerDay, brokerResultFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { compactMoney, gainTone, plotUnits, signedMoney } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { ReportPage, type ReportProps } from './report-page.tsx'

/** The broker's result by day, from the ledger. */
export function BrokerReport(props: ReportProps) {
  const input = { days: Number(props.days), ledger: props.ledger }
  const { data, problem, retry } = useDeskQuery(getBrokerResult, input)
  const now = useNow()
  const rows = data?.days.toReversed()
  const isEmpty = data?.days.every(isEmptyDay) ?? false
  return (
    <ReportPage
      {...props}
      file={<CsvButton file={brokerResultFile} input={input} of={`${props.days}-days`} />}
      upTo={data?.upTo}
    >
      {data && <Sums sum={data.sum} />}
      <BarPlot
        title="Broker's result"
        summary={data && (isEmpty ? 'Nothing was booked in this period.' : summaryOf(data.days, now))}
        data={
          data && {
            labels: isEmpty ? [] : data.days.map((one) => day(one.day, now)),
            series: [
              { name: 'Result', tone: 'bySign', values: data.days.map(({ total }) => plotUnits(total)) },
            ],
            format: compactMoney,
          }
        }
      />
      <DataTable
        label="Broker's result by day"
        columns={columnsAt(now)}
        rows={isEmpty ? [] : rows}
        keyOf={(row) => row.day}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No bookings',
          text: 'Fees, swaps and the results of closed positions are shown here by day.',
        }}
      />
    </ReportPage>
  )
}

type Part = Exclude<keyof BrokerDay, 'day' | 'total'>

/** The parts of a result, which add up to its total. */
const PART_TITLES: Readonly<Record<Part, string>> = {
  fees: 'Fees',
  swaps: 'Swaps',
  clientResults: "Client P&L (broker's side)",
  protection: 'Negative balance protection',
  withdrawalFees: 'Withdrawal fees',
  adjustments: 'Adjustments',
}
const PARTS = Object.keys(PART_TITLES) as Part[]

const isEmptyDay = (result: BrokerDay): boolean => PARTS.every((part) => result[part] === 0n)

function summaryOf(days: readonly BrokerDay[], now: number): string {
  const sorted = days.toSorted((a, b) => (a.total < b.total ? -1 : 1))
  const [worst, best] = [sorted[0], sorted.at(-1)]
  if (!worst || !best) return ''
  return `best ${day(best.day, now)} ${signedMoney(best.total)}, worst ${day(worst.day, now)} ${signedMoney(worst.total)}`
}

const Sums = ({ sum }: { sum: BrokerDay }) => (
  <FigureRow>
    <FigureCard label="Result" value={signedMoney(sum.total)} tone={gainTone(sum.total)} />
    {PARTS.map((part) => (
      <FigureCard key={part} label={PART_TITLES[part]} value={signedMoney(sum[part])} />
    ))}
  </FigureRow>
)

const partColumn = (part: Part): Column<BrokerDay> => ({
  key: part,
  title: PART_TITLES[part],
  align: 'end',
  phoneLabel: PART_TITLES[part].replace(/^./, (first) => first.toLowerCase()),
  cell: (row) => <SignedMoney units={row[part]} />,
})

const columnsAt = (now: number): readonly Column<BrokerDay>[] => [
  { key: 'day', title: 'Day', cell: (row) => day(row.day, now), onPhone: 'title' },
  ...PARTS.map(partColumn),
  {
    key: 'total',
    title: 'Result',
    align: 'end',
    onPhone: 'figure',
    cell: ({ total }) => <SignedMoney units={total} />,
  },
]
