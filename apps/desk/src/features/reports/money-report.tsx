import { getMoneyFlow, type MoneyDay, moneyFlowFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { money, signedMoney } from '../../i18n/figures.ts'
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

/** Deposits and withdrawals by day. */
export function MoneyReport(props: ReportProps) {
  const input = { days: Number(props.days) }
  const { data, problem, retry } = useDeskQuery(getMoneyFlow, input)
  const now = useNow()
  const moving = data?.days.filter(({ deposits, withdrawals }) => deposits + withdrawals > 0)
  return (
    <ReportPage
      {...props}
      file={<CsvButton file={moneyFlowFile} input={input} of={`${props.days}-days`} />}
      hasLedgers={false}
      upTo={data?.upTo}
    >
      {data && <Sums sum={data.sum} />}
      <BarPlot
        title="Deposits and withdrawals"
        summary={data && summaryOf(moving ?? [], data.days.length)}
        data={
          data && {
            labels: moving?.length === 0 ? [] : data.days.map((one) => day(one.day, now)),
            series: [
              {
                name: 'Deposited',
                tone: 'up',
                values: data.days.map(({ deposited }) => plotUnits(deposited)),
              },
              {
                name: 'Withdrawn',
                tone: 'down',
                values: data.days.map(({ withdrawn }) => -plotUnits(withdrawn)),
              },
            ],
            format: compactMoney,
          }
        }
      />
      <DataTable
        label="Deposits and withdrawals by day"
        columns={columnsAt(now)}
        rows={moving?.toReversed()}
        keyOf={(row) => row.day}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No money came or went',
          text: 'Deposits credited and withdrawals paid stand here by day.',
        }}
      />
    </ReportPage>
  )
}

const summaryOf = (moving: readonly MoneyDay[], count: number): string =>
  moving.length === 0
    ? 'Nothing came or went in this time.'
    : `money moved on ${moving.length} of ${count} days`

const Sums = ({ sum }: { sum: MoneyDay }) => (
  <FigureRow>
    <FigureCard label="Net" value={signedMoney(sum.net)} tone={sum.net < 0n ? 'down' : 'up'} />
    <FigureCard label="Deposited" value={money(sum.deposited)}>
      {sum.deposits} deposits
    </FigureCard>
    <FigureCard label="Withdrawn" value={money(sum.withdrawn)}>
      {sum.withdrawals} withdrawals
    </FigureCard>
  </FigureRow>
)

const columnsAt = (now: number): readonly Column<MoneyDay>[] => [
  { key: 'day', title: 'Day', cell: (row) => day(row.day, now), onPhone: 'title' },
  { key: 'deposits', title: 'Deposits', cell: ({ deposits }) => deposits, align: 'end', onPhone: 'hidden' },
  {
    key: 'deposited',
    title: 'Deposited',
    phoneLabel: 'in',
    cell: ({ deposited }) => money(deposited),
    align: 'end',
  },
  {
    key: 'withdrawals',
    title: 'Withdrawals',
    cell: ({ withdrawals }) => withdrawals,
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'withdrawn',
    title: 'Withdrawn',
    phoneLabel: 'out',
    cell: ({ withdrawn }) => money(withdrawn),
    align: 'end',
  },
  { key: 'net', title: 'Net', cell: ({ net }) => <Signed units={net} />, align: 'end', onPhone: 'figure' },
]
