import { getMoneyFlow, type MoneyDay, moneyFlowFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { compactMoney, countText, gainTone, money, plotUnits, signedMoney } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { ReportPage, type ReportProps } from './report-page.tsx'

/** Deposits and withdrawals by day. */
export function MoneyReport(props: ReportProps) {
  const input = { days: Number(props.days) }
  const { data, problem, retry } = useDeskQuery(getMoneyFlow, input)
  const now = useNow()
  const daysWithPayments = data?.days.filter(({ deposits, withdrawals }) => deposits + withdrawals > 0)
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
        summary={data && summaryOf(daysWithPayments ?? [], data.days.length)}
        data={
          data && {
            labels: daysWithPayments?.length === 0 ? [] : data.days.map((one) => day(one.day, now)),
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
        rows={daysWithPayments?.toReversed()}
        keyOf={(row) => row.day}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No deposits or withdrawals',
          text: 'Credited deposits and paid withdrawals are shown here by day.',
        }}
      />
    </ReportPage>
  )
}

const summaryOf = (days: readonly MoneyDay[], count: number): string =>
  days.length === 0
    ? 'No deposits or withdrawals in this period.'
    : `payments on ${days.length} of ${count} days`

const Sums = ({ sum }: { sum: MoneyDay }) => (
  <FigureRow>
    <FigureCard label="Net" value={signedMoney(sum.net)} tone={gainTone(sum.net)} />
    <FigureCard label="Deposited" value={money(sum.deposited)}>
      {countText(sum.deposits, 'deposit')}
    </FigureCard>
    <FigureCard label="Withdrawn" value={money(sum.withdrawn)}>
      {countText(sum.withdrawals, 'withdrawal')}
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
  {
    key: 'net',
    title: 'Net',
    cell: ({ net }) => <SignedMoney units={net} />,
    align: 'end',
    onPhone: 'figure',
  },
]
