import { waitingFile } from '@fairlot/contract/desk'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { type ReactNode, useCallback } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useSelf } from '../../live/session.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { CaseActs } from './case-acts.tsx'
import { CaseBody } from './case-body.tsx'
import { HouseFigures } from './house-figures.tsx'
import { useCase } from './use-case.ts'
import { nextCase, useWaitingList } from './use-waiting-list.ts'
import { waitingColumns } from './waiting-columns.tsx'

/**
 * Everything that waits for a person, the highest risk first, and beside it the case that is open: its key is in the address. `cards`
 * stand below, with the prices.
 */
export function WaitingScreen({ cards = null }: { cards?: ReactNode }) {
  const { '*': path = '' } = useParams()
  const navigate = useNavigate()
  const self = useSelf()
  const now = useNow()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const { asked, table, filter, search, isNarrowed } = useWaitingList()
  const caseKey = path === '' ? null : path
  const open = useCase(caseKey)
  const show = (next: string | null) => void navigate(`/waiting${next === null ? '' : `/${next}`}`)
  const goOn = () => caseKey !== null && show(nextCase(table.rows ?? [], caseKey))
  return (
    <SplitView
      onClose={useCallback(() => void navigate('/waiting'), [navigate])}
      detail={
        caseKey === null
          ? null
          : {
              name: open.shown?.case.title ?? caseKey,
              body: <CaseBody key={caseKey} open={open} />,
              acts: open.shown && (
                <CaseActs key={caseKey} open={open.shown} isOver={open.isOver} onDone={goOn} />
              ),
            }
      }
    >
      <Page
        title="Waiting"
        filter={filter}
        search={{ label: 'Find a case', ...search }}
        file={<CsvButton file={waitingFile} input={asked} />}
        foot={isWide && <HouseFigures cards={cards} />}
      >
        <DataTable
          search={search}
          {...table}
          label="What waits"
          columns={waitingColumns(self.id, now)}
          keyOf={(row) => row.caseKey}
          selected={caseKey}
          onOpen={(row) => show(row.caseKey)}
          empty={
            isNarrowed
              ? { title: 'Nothing fits', text: 'Something else may wait: look at all.' }
              : { title: 'Nothing waits', text: 'Everything that needs a person has been decided.' }
          }
        />
        {!isWide && (
          <div className="pt-4">
            <HouseFigures cards={cards} />
          </div>
        )}
      </Page>
    </SplitView>
  )
}
