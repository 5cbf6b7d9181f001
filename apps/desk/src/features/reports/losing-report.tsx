import { getLosingShare, type LosingShare } from '@fairlot/contract/desk'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { decimal } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { TitledBox } from '../../ui/split-view.tsx'
import type { ReportProps } from './report-page.tsx'

/** The share of accounts that lost money in twelve months, and the risk warning shown to users. */
export function LosingReport({ filter }: ReportProps) {
  const { data, problem, retry } = useDeskQuery(getLosingShare, null)
  return (
    <Page title="Reports" filter={filter}>
      {!data && problem !== null && <LoadFailed problem={problem} onRetry={retry} />}
      <div className="flex flex-col gap-3">
        {data && <Figures share={data} />}
        <BarPlot
          title="Real accounts with closed positions"
          summary={data && summaryOf(data)}
          rows={2}
          data={data && plotOf(data)}
        />
        {data && <RiskWarning share={data} />}
      </div>
    </Page>
  )
}

const summaryOf = ({ accounts, losing }: LosingShare): string =>
  accounts === 0 ? 'No real account has closed a position yet.' : `${losing} of ${accounts} lost money`

const plotOf = ({ accounts, losing }: LosingShare) => ({
  labels: accounts === 0 ? [] : ['Lost money', 'Did not'],
  series: [{ name: 'Accounts', tone: 'brass' as const, values: [losing, accounts - losing] }],
  isHorizontal: true,
  format: (value: number) => (Number.isInteger(value) ? String(value) : ''),
})

const Figures = ({ share }: { share: LosingShare }) => (
  <FigureRow>
    <FigureCard label="Lost money" value={share.share === null ? 'none yet' : `${decimal(share.share)} %`} />
    <FigureCard label="Accounts" value={share.accounts} />
    <FigureCard label="Losing accounts" value={share.losing} />
  </FigureRow>
)

function RiskWarning({ share }: { share: LosingShare }) {
  const now = useNow()
  return (
    <div className="flex flex-col gap-3 rounded-card bg-surface p-4">
      <TitledBox title="Shown to users">
        <p>“{share.told}”</p>
      </TitledBox>
      <FactList
        facts={[
          { label: 'Period', value: `${day(share.from, now)} to ${day(share.at, now)}` },
          { label: 'Accounts counted', value: 'real accounts that closed a position' },
          { label: 'Counted as losing', value: 'results less fees and swaps are below zero' },
          { label: 'Published once it covers', value: `${share.shownFrom} accounts` },
        ]}
      />
    </div>
  )
}
