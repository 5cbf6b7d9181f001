import { type ActiveDay, getActiveTraders, activeTradersFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { day } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { ReportPage } from './report-page.tsx'
import type { ReportProps } from './report-props.ts'

/** Who placed orders, by day and by week. */
export function TradersReport(props: ReportProps) {
  const input = { days: Number(props.days), ledger: props.ledger }
  const { data, problem, retry } = useDeskQuery(getActiveTraders, input)
  const now = useNow()
  const active = data?.days.filter(({ orders }) => orders > 0)
  const busiest = active?.toSorted((a, b) => b.traders - a.traders)[0]
  const lastWeek = data?.weeks.at(-1)
  const orders = data?.days.reduce((sum, one) => sum + one.orders, 0)
  return (
    <ReportPage
      {...props}
      file={<CsvButton file={activeTradersFile} input={input} of={`${props.days}-days`} />}
      upTo={data?.upTo}
    >
      {data && (
        <FigureRow>
          <FigureCard label="Today" value={`${data.days.at(-1)?.traders ?? 0} traders`}>
            {data.days.at(-1)?.orders ?? 0} orders
          </FigureCard>
          <FigureCard label="This week" value={`${lastWeek?.traders ?? 0} traders`}>
            {lastWeek && `from ${day(lastWeek.week, now)}`}
          </FigureCard>
          <FigureCard label="Orders in this time" value={orders} />
        </FigureRow>
      )}
      <BarPlot
        title="Active traders"
        summary={
          data &&
          (busiest
            ? `most on ${day(busiest.day, now)}: ${busiest.traders}`
            : 'Nobody placed an order in this time.')
        }
        data={
          data && {
            labels: busiest ? data.days.map((one) => day(one.day, now)) : [],
            series: [{ name: 'Traders', tone: 'brass', values: data.days.map(({ traders }) => traders) }],
            format: (value) => (Number.isInteger(value) ? String(value) : ''),
          }
        }
      />
      <DataTable
        label="Active traders by day"
        columns={columnsAt(now)}
        rows={active?.toReversed()}
        keyOf={(row) => row.day}
        problem={problem}
        onRetry={retry}
        empty={{ title: 'No orders', text: 'Accounts that placed an order are counted here by day.' }}
      />
    </ReportPage>
  )
}

const columnsAt = (now: number): readonly Column<ActiveDay>[] => [
  { key: 'day', title: 'Day', cell: (row) => day(row.day, now), onPhone: 'title' },
  { key: 'traders', title: 'Traders', cell: ({ traders }) => traders, align: 'end', onPhone: 'figure' },
  { key: 'orders', title: 'Orders', phoneLabel: 'orders', cell: ({ orders }) => orders, align: 'end' },
]
