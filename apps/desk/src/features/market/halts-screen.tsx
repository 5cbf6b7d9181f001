import { listDeskInstruments, type DeskCategory, type InstrumentRow } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { useState, type ReactNode } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-column.ts'
import { deskNameOf, nameOfCategory, useCategories, type NamedCategory } from './category-names.ts'
import { HaltDialog, type HaltScope, PauseDialog, ResumeDialog } from './halt-dialogs.tsx'
import type { MarketPageProps } from './market-page.ts'

type Asking = { readonly kind: 'halt' | 'resume'; readonly scope: HaltScope } | { readonly kind: 'pause' }

/** Halts and the pause of trading, also by one key. */
export function HaltsScreen({ filter }: MarketPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskInstruments, { search: '' })
  const categories = useCategories()
  const mayHalt = useMay('halt')
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const halted = data?.instruments.filter(({ haltReason }) => haltReason !== null)
  const isPaused = data?.mode === 'cancelOnly'
  return (
    <Page title="Market" filter={filter}>
      <div className="grid gap-3 pb-4 tablet:grid-cols-2">
        <BigKey
          title="Everything"
          state={
            halted?.length === 0
              ? 'nothing is halted'
              : `${halted?.length ?? '…'} of ${data?.instruments.length ?? '…'} halted`
          }
          isAlarm={(halted?.length ?? 0) > 0}
        >
          {mayHalt && (
            <>
              <Button tone="danger" onClick={() => setAsking({ kind: 'halt', scope: 'all' })}>
                Halt everything
              </Button>
              {(halted?.length ?? 0) > 0 && (
                <Button tone="outline" onClick={() => setAsking({ kind: 'resume', scope: 'all' })}>
                  Let everything trade
                </Button>
              )}
            </>
          )}
        </BigKey>
        <BigKey title="Trading" state={isPaused ? 'paused: cancel only' : 'open'} isAlarm={isPaused}>
          {mayHalt && (
            <Button tone={isPaused ? 'ink' : 'danger'} onClick={() => setAsking({ kind: 'pause' })}>
              {isPaused ? 'Open trading' : 'Pause trading'}
            </Button>
          )}
        </BigKey>
      </div>
      {mayHalt && <Categories categories={categories} onAsk={setAsking} />}
      <h2 className="pt-2 pb-1 text-note font-bold">Halted now</h2>
      <DataTable
        label="Halted instruments"
        columns={columnsFor(categories, mayHalt ? setAsking : null)}
        rows={halted}
        keyOf={({ id }) => id}
        problem={problem}
        onRetry={retry}
        empty={{ title: 'Nothing is halted' }}
      />
      {asking?.kind === 'halt' && <HaltDialog scope={asking.scope} onClose={close} />}
      {asking?.kind === 'resume' && <ResumeDialog scope={asking.scope} onClose={close} />}
      {asking?.kind === 'pause' && <PauseDialog isPaused={isPaused} onClose={close} />}
    </Page>
  )
}

const columnsFor = (
  categories: readonly NamedCategory[],
  onAsk: ((asking: Asking) => void) | null,
): readonly Column<InstrumentRow>[] => [
  { key: 'code', title: 'Instrument', cell: ({ terms }) => terms.showCode, onPhone: 'title' },
  { key: 'category', title: 'Category', cell: ({ terms }) => nameOfCategory(categories, terms.category) },
  { key: 'reason', title: 'Reason that traders read', cell: ({ haltReason }) => haltReason },
  {
    key: 'resume',
    title: '',
    align: 'end',
    cell: ({ id, terms }) =>
      onAsk && (
        <Button
          tone="outline"
          size="small"
          onClick={() => onAsk({ kind: 'resume', scope: { instrumentId: id, name: terms.showCode } })}
        >
          Let it trade
        </Button>
      ),
    onPhone: 'figure',
  },
]

type BigKeyProps = { title: string; state: string; isAlarm: boolean; children: ReactNode }

const BigKey = ({ title, state, isAlarm, children }: BigKeyProps) => (
  <Card>
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="text-title font-bold">{title}</h2>
      <Badge tone={isAlarm ? 'down' : 'up'}>{state}</Badge>
    </div>
    <div className="flex flex-wrap gap-2 pt-3">{children}</div>
  </Card>
)

type CategoriesProps = { categories: readonly DeskCategory[]; onAsk: (asking: Asking) => void }

/** One key for each category. */
const Categories = ({ categories, onAsk }: CategoriesProps) => (
  <section aria-label="Halt a category" className="flex flex-wrap gap-2 pb-3">
    {categories
      .filter(({ instruments }) => instruments > 0)
      .map((category) => (
        <Button
          key={category.id}
          tone="outline"
          size="small"
          onClick={() =>
            onAsk({ kind: 'halt', scope: { category: category.code, name: deskNameOf(category) } })
          }
        >
          Halt {deskNameOf(category)}
        </Button>
      ))}
  </section>
)
