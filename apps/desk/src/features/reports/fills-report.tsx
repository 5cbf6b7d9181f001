import { getFills, type InstrumentFills, type TriggerFills, fillsFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { decimal } from '../../i18n/figures.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { ReportPage, type ReportProps } from './report-page.tsx'

const TRIGGERS: Readonly<Record<TriggerFills['trigger'], string>> = {
  user: 'By the user',
  target: 'Pending order',
  takeProfit: 'Take profit',
  stopLoss: 'Stop loss',
  stopOut: 'Stop-out',
  operator: 'By an operator',
}

/** Spread, slippage and age of the price of all fills, from their receipts. */
export function FillsReport(props: ReportProps) {
  const input = { days: Number(props.days), ledger: props.ledger }
  const { data, problem, retry } = useDeskQuery(getFills, input)
  return (
    <ReportPage
      {...props}
      file={<CsvButton file={fillsFile} input={input} of={`${props.days}-days`} />}
      upTo={data?.upTo}
    >
      {data && <Sums {...data.sum} />}
      <BarPlot
        title="Fills against the requested price"
        summary={data && (data.sum.fills === 0 ? 'Nothing was filled in this period.' : 'fills by trigger')}
        rows={Math.max(data?.triggers.length ?? 1, 2)}
        data={data && plotOf(data.triggers)}
      />
      <DataTable
        label="Fills by instrument"
        columns={COLUMNS}
        rows={data?.instruments}
        keyOf={({ instrumentId }) => instrumentId}
        problem={problem}
        onRetry={retry}
        empty={{ title: 'No fills', text: 'The receipts of all fills are summed here.' }}
      />
    </ReportPage>
  )
}

const plotOf = (triggers: readonly TriggerFills[]) => ({
  labels: triggers.map(({ trigger }) => TRIGGERS[trigger]),
  series: [
    { name: 'As requested', tone: 'third' as const, values: triggers.map(atRequestedPrice) },
    { name: 'Better', tone: 'up' as const, values: triggers.map(({ better }) => better) },
    { name: 'Worse', tone: 'down' as const, values: triggers.map(({ worse }) => worse) },
  ],
  isHorizontal: true,
  format: (value: number) => (Number.isInteger(value) ? String(value) : ''),
})

const atRequestedPrice = ({ fills, better, worse }: TriggerFills): number => fills - better - worse

const shareText = (part: number, all: number): string => `${part} (${((part * 100) / all).toFixed(1)} %)`

type Quality = Omit<TriggerFills, 'trigger'>

const Sums = ({ fills, better, worse, delayMs, delayMostMs }: Quality) => (
  <FigureRow>
    <FigureCard label="Fills" value={fills} />
    <FigureCard label="Better than requested" value={fills === 0 ? 0 : shareText(better, fills)} />
    <FigureCard label="Worse than requested" value={fills === 0 ? 0 : shareText(worse, fills)} />
    <FigureCard label="Age of the price" value={`${decimal(delayMs)} ms`}>
      maximum {delayMostMs} ms
    </FigureCard>
  </FigureRow>
)

const COLUMNS: readonly Column<InstrumentFills>[] = [
  { key: 'code', title: 'Instrument', cell: ({ code }) => asName(code), onPhone: 'title' },
  { key: 'fills', title: 'Fills', cell: ({ fills }) => fills, align: 'end', onPhone: 'figure' },
  {
    key: 'spread',
    title: 'Spread, average',
    phoneLabel: 'spread',
    cell: ({ spread }) => decimal(spread),
    align: 'end',
  },
  {
    key: 'slippage',
    title: 'Slippage, average',
    phoneLabel: 'slippage',
    cell: ({ slippage }) => decimal(slippage),
    align: 'end',
  },
  { key: 'better', title: 'Better', cell: ({ better }) => better, align: 'end', onPhone: 'hidden' },
  { key: 'worse', title: 'Worse', cell: ({ worse }) => worse, align: 'end', onPhone: 'hidden' },
  {
    key: 'delay',
    title: 'Age of the price, ms',
    cell: ({ delayMs }) => decimal(delayMs),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'most',
    title: 'Maximum age, ms',
    cell: ({ delayMostMs }) => delayMostMs,
    align: 'end',
    onPhone: 'hidden',
  },
]
