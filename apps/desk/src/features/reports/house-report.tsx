import { getHouseResult, type HouseDay, houseResultFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { signedMoney } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { compactMoney, plotUnits } from '../../ui/plot/plot-figures.ts'
import { Signed } from '../../ui/signed.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { ReportPage } from './report-page.tsx'
import type { ReportProps } from './report-props.ts'

/** What the house earned by day, out of the ledger. */
export function HouseReport(props: ReportProps) {
  const input = { days: Number(props.days), ledger: props.ledger }
  const { data, problem, retry } = useDeskQuery(getHouseResult, input)
  const now = useNow()
  const rows = data?.days.toReversed()
  const isEmpty = data?.days.every(isQuiet) ?? false
  return (
    <ReportPage
      {...props}
      file={<CsvButton file={houseResultFile} input={input} of={`${props.days}-days`} />}
      upTo={data?.upTo}
    >
      {data && <Sums sum={data.sum} />}
      <BarPlot
        title="Result of the house"
        summary={data && (isEmpty ? 'Nothing was booked in this time.' : summaryOf(data.days, now))}
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
        label="Result of the house by day"
        columns={columnsAt(now)}
        rows={isEmpty ? [] : rows}
        keyOf={(row) => row.day}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No bookings',
          text: 'Fees, financing and the results of closed positions stand here by day.',
        }}
      />
    </ReportPage>
  )
}

const isQuiet = ({ day: _day, ...parts }: HouseDay): boolean =>
  Object.values(parts).every((part) => part === 0n)

function summaryOf(days: readonly HouseDay[], now: number): string {
  const sorted = days.toSorted((a, b) => (a.total < b.total ? -1 : 1))
  const [worst, best] = [sorted[0], sorted.at(-1)]
  if (!worst || !best) return ''
  return `best ${day(best.day, now)} ${signedMoney(best.total)}, worst ${day(worst.day, now)} ${signedMoney(worst.total)}`
}

const Sums = ({ sum }: { sum: HouseDay }) => (
  <FigureRow>
    <FigureCard label="Result" value={signedMoney(sum.total)} tone={sum.total < 0n ? 'down' : 'up'} />
    <FigureCard label="Fees" value={signedMoney(sum.fees)} />
    <FigureCard label="Financing" value={signedMoney(sum.swaps)} />
    <FigureCard label="Clients' results" value={signedMoney(sum.clientResults)} />
  </FigureRow>
)

const amount = (key: Exclude<keyof HouseDay, 'day'>, title: string): Column<HouseDay> => ({
  ...{
    key,
    title,
    phoneLabel: title.toLowerCase(),
    align: 'end',
    onPhone: key === 'total' ? 'figure' : 'note',
  },
  cell: (row) => <Signed units={row[key]} />,
})

const columnsAt = (now: number): readonly Column<HouseDay>[] => [
  { key: 'day', title: 'Day', cell: (row) => day(row.day, now), onPhone: 'title' },
  amount('fees', 'Fees'),
  amount('swaps', 'Financing'),
  amount('clientResults', "Clients' results"),
  { ...amount('protection', 'Lifted balances'), onPhone: 'hidden' },
  { ...amount('withdrawalFees', 'Withdrawal fees'), onPhone: 'hidden' },
  { ...amount('adjustments', 'Adjustments'), onPhone: 'hidden' },
  amount('total', 'Result'),
]
