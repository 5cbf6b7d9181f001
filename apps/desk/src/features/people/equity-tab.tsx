import { getPersonEquity, personEquityFile } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { ChartLine, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { Page } from '../../ui/page.tsx'
import { EquityCurve } from './equity-curve.tsx'
import type { TabProps } from './person-props.ts'

const DAY_MS = 86_400_000
const PERIODS = [
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
] as const
type Days = (typeof PERIODS)[number]['value']

/** What the account was worth at each full hour of a period. */
export function EquityTab({ person, frame }: TabProps) {
  const [days, setDays] = useState<Days>('7')
  const [openedAt] = useState(() => Date.now())
  const asked = { id: person.user.id, from: openedAt - Number(days) * DAY_MS, to: null }
  const { data, problem, retry } = useDeskQuery(getPersonEquity, asked)
  return (
    <Page {...frame} file={<CsvButton file={personEquityFile} input={asked} of={person.user.uid} />}>
      <div className="flex flex-col gap-4">
        <div className="max-w-md">
          <Segmented label="Period" trough="surface" options={PERIODS} value={days} onChange={setDays} />
        </div>
        <Card>
          {data ? (
            <EquityCurve points={data.points} />
          ) : problem === null ? (
            <Skeleton shape="h-64 w-full" />
          ) : (
            <EmptyState
              icon={CircleAlert}
              title="This could not be loaded"
              text={problem}
              action={
                <Button tone="outline" onClick={retry}>
                  Try again
                </Button>
              }
            />
          )}
          {data?.points.length === 0 && (
            <EmptyState
              icon={ChartLine}
              title="No full hour yet"
              text="A point is made at each full hour and at 17:00 New York."
            />
          )}
        </Card>
      </div>
    </Page>
  )
}
