import { getLosingShare, type LosingShare } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { CircleAlert } from 'lucide-react'
import { decimal } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Page } from '../../ui/page.tsx'
import { BarPlot } from '../../ui/plot/bar-plot.tsx'
import { Passage } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { ReportProps } from './report-props.ts'

/** How many accounts lost money in twelve months, and what traders read of it. */
export function LosingReport({ filter }: ReportProps) {
  const { data, problem, retry } = useDeskQuery(getLosingShare, null)
  return (
    <Page title="Reports" filter={filter}>
      {!data && problem !== null && (
        <div role="alert">
          <EmptyState
            icon={CircleAlert}
            title="This could not be loaded"
            text={problem}
            action={<Button onClick={retry}>Try again</Button>}
          />
        </div>
      )}
      <div className="flex flex-col gap-3">
        {data && <Figures share={data} />}
        <BarPlot
          title="Real accounts with closed positions"
          summary={data && summaryOf(data)}
          rows={2}
          data={data && plotOf(data)}
        />
        {data && <Words share={data} />}
      </div>
    </Page>
  )
}

const summaryOf = ({ accounts, losing }: LosingShare): string =>
  accounts === 0 ? 'No real account has closed a position yet.' : `${losing} of ${accounts} lost money`

const plotOf = ({ accounts, losing }: LosingShare) => ({
  labels: accounts === 0 ? [] : ['Lost money', 'Did not'],
  series: [{ name: 'Accounts', tone: 'brass' as const, values: [losing, accounts - losing] }],
  isLying: true,
  format: (value: number) => (Number.isInteger(value) ? String(value) : ''),
})

const Figures = ({ share }: { share: LosingShare }) => (
  <FigureRow>
    <FigureCard
      label="Lost money"
      value={share.share === null ? 'nobody yet' : `${decimal(share.share)} %`}
    />
    <FigureCard label="Accounts" value={share.accounts} />
    <FigureCard label="Of them losing" value={share.losing} />
  </FigureRow>
)

function Words({ share }: { share: LosingShare }) {
  const now = useNow()
  return (
    <div className="flex flex-col gap-3 rounded-card bg-surface p-4">
      <Passage title="What traders read">
        <p>“{share.told}”</p>
      </Passage>
      <FactList
        facts={[
          { label: 'Period', value: `${day(share.from, now)} to ${day(share.at, now)}` },
          { label: 'Counted', value: 'real accounts that closed a position' },
          { label: 'Losing', value: 'results less fees and financing below zero' },
          { label: 'Traders are told the figure from', value: `${share.shownFrom} accounts on` },
        ]}
      />
    </div>
  )
}
