import { type ActiveDay, getActiveTraders, activeTradersFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { countText } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { ReportPage, type ReportProps } from './report-page.tsx'

/** Accounts that placed orders, by day and by week. */
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
          <FigureCard label="Today" value={countText(data.days.at(-1)?.traders ?? 0, 'trader')}>
            {countText(data.days.at(-1)?.orders ?? 0, 'order')}
          </FigureCard>
          <FigureCard label="This week" value={countText(lastWeek?.traders ?? 0, 'trader')}>
            {lastWeek && `from ${day(lastWeek.week, now)}`}
          </FigureCard>
          <FigureCard label="Orders in this period" value={orders} />
        </FigureRow>
      )}
      <BarPlot
        title="Active traders"
        summary={
          data &&
          (busiest
            ? `busiest day: ${day(busiest.day, now)}, ${countText(busiest.traders, 'trader')}`
            : 'No orders in this period.')
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
