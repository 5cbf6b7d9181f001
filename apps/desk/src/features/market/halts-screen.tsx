import { listDeskInstruments, type DeskCategory, type InstrumentRow } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState, type ReactNode } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { deskNameOf, nameOfCategory, useCategories, type NamedCategory } from './category-names.ts'
import {
  RequestHaltDialog,
  HaltDialog,
  MODE_LABELS,
  ModeDialog,
  ResumeDialog,
  type HaltScope,
  type NewMode,
} from './halt-dialogs.tsx'

type HaltDialogState =
  | { readonly kind: 'halt' | 'resume'; readonly scope: HaltScope }
  | { readonly kind: 'mode'; readonly mode: NewMode }
  | { readonly kind: 'request'; readonly instrumentId: number | null; readonly name: string }

/** Halts of instruments and categories, and the trading mode of the whole market. */
export function HaltsScreen({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskInstruments, { search: '' })
  const categories = useCategories()
  const mayHalt = useMay('halt')
  const mayRequest = useMay('askHalt')
  const [openDialog, setOpenDialog] = useState<HaltDialogState | null>(null)
  const close = () => setOpenDialog(null)
  const halted = data?.instruments.filter(({ haltReason }) => haltReason !== null)
  const mode = data?.mode ?? 'normal'
  const now = useNow()
  return (
    <Page title="Market" filter={filter}>
      <div className="grid gap-3 pb-4 tablet:grid-cols-2">
        <HaltCard
          title="Everything"
          state={
            halted?.length === 0
              ? 'none halted'
              : `${halted?.length ?? '…'} of ${data?.instruments.length ?? '…'} halted`
          }
          isHalted={(halted?.length ?? 0) > 0}
        >
          {mayHalt && (
            <>
              <Button tone="danger" onClick={() => setOpenDialog({ kind: 'halt', scope: 'all' })}>
                Halt everything
              </Button>
              {(halted?.length ?? 0) > 0 && (
                <Button tone="outline" onClick={() => setOpenDialog({ kind: 'resume', scope: 'all' })}>
                  Resume everything
                </Button>
              )}
            </>
          )}
        </HaltCard>
        <HaltCard title="Trading" state={MODE_LABELS[mode]} isHalted={mode !== 'normal'}>
          {data && mode !== 'normal' && (
            <p className="w-full text-note">
              {data.modeReason} {mode === 'halted' && `${endText(data.modeEndsAt, now)}.`}
            </p>
          )}
          {mayHalt &&
            MODES.filter((other) => other !== mode).map((other) => (
              <Button
                key={other}
                tone={other === 'normal' ? 'ink' : 'danger'}
                onClick={() => setOpenDialog({ kind: 'mode', mode: other })}
              >
                {MODE_BUTTONS[other]}
              </Button>
            ))}
          {mayRequest && (mode !== 'halted' || data?.modeEndsAt !== null) && (
            <Button
              tone="outline"
              onClick={() => setOpenDialog({ kind: 'request', instrumentId: null, name: 'the whole market' })}
            >
              Request a longer halt
            </Button>
          )}
        </HaltCard>
      </div>
      {mayHalt && <Categories categories={categories} onOpenDialog={setOpenDialog} />}
      <h2 className="pt-2 pb-1 text-note font-bold">Halted now</h2>
      <DataTable
        label="Halted instruments"
        columns={columnsFor(categories, now, {
          onOpenDialog: mayHalt ? setOpenDialog : null,
          onRequestLonger: mayRequest ? setOpenDialog : null,
        })}
        rows={halted}
        keyOf={({ id }) => id}
        problem={problem}
        onRetry={retry}
        empty={{ title: 'No instrument is halted' }}
      />
      {openDialog?.kind === 'halt' && <HaltDialog scope={openDialog.scope} onClose={close} />}
      {openDialog?.kind === 'resume' && <ResumeDialog scope={openDialog.scope} onClose={close} />}
      {openDialog?.kind === 'mode' && <ModeDialog mode={openDialog.mode} before={mode} onClose={close} />}
      {openDialog?.kind === 'request' && <RequestHaltDialog {...openDialog} onClose={close} />}
    </Page>
  )
}

const MODES = ['normal', 'reduceOnly', 'halted'] as const

const MODE_BUTTONS: Readonly<Record<NewMode, string>> = {
  normal: 'Resume normal trading',
  reduceOnly: 'Reduce only',
  halted: 'Halt trading',
}

/** The end of a halt. */
const endText = (endsAt: number | null, now: number): string =>
  endsAt === null ? 'Until it is lifted' : `Ends ${moment(endsAt, now)}`

const columnsFor = (
  categories: readonly NamedCategory[],
  now: number,
  {
    onOpenDialog,
    onRequestLonger,
  }: {
    onOpenDialog: ((openDialog: HaltDialogState) => void) | null
    onRequestLonger: ((openDialog: HaltDialogState) => void) | null
  },
): readonly Column<InstrumentRow>[] => [
  { key: 'code', title: 'Instrument', cell: ({ terms }) => asName(terms.showCode), onPhone: 'title' },
  { key: 'category', title: 'Category', cell: ({ terms }) => nameOfCategory(categories, terms.category) },
  { key: 'reason', title: 'Reason, shown to users', cell: ({ haltReason }) => haltReason },
  { key: 'end', title: 'Until', cell: ({ haltEndsAt }) => endText(haltEndsAt, now) },
  {
    key: 'longer',
    title: '',
    align: 'end',
    cell: ({ id, terms, haltEndsAt }) =>
      onRequestLonger &&
      haltEndsAt !== null && (
        <Button
          tone="outline"
          size="small"
          onClick={() => onRequestLonger({ kind: 'request', instrumentId: id, name: asName(terms.showCode) })}
        >
          Request longer
        </Button>
      ),
  },
  {
    key: 'resume',
    title: '',
    align: 'end',
    cell: ({ id, terms }) =>
      onOpenDialog && (
        <Button
          tone="outline"
          size="small"
          onClick={() => onOpenDialog({ kind: 'resume', scope: { instrumentId: id, name: terms.showCode } })}
        >
          Resume
        </Button>
      ),
    onPhone: 'figure',
  },
]

type HaltCardProps = { title: string; state: string; isHalted: boolean; children: ReactNode }

const HaltCard = ({ title, state, isHalted, children }: HaltCardProps) => (
  <Card>
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="text-title font-bold">{title}</h2>
      <Badge tone={isHalted ? 'down' : 'up'}>{state}</Badge>
    </div>
    <div className="flex flex-wrap gap-2 pt-3">{children}</div>
  </Card>
)

type CategoriesProps = {
  categories: readonly DeskCategory[]
  onOpenDialog: (openDialog: HaltDialogState) => void
}

/** One button for each category. */
const Categories = ({ categories, onOpenDialog }: CategoriesProps) => (
  <section aria-label="Halt a category" className="flex flex-wrap gap-2 pb-3">
    {categories
      .filter(({ instruments }) => instruments > 0)
      .map((category) => (
        <Button
          key={category.id}
          tone="outline"
          size="small"
          onClick={() =>
            onOpenDialog({ kind: 'halt', scope: { category: category.code, name: deskNameOf(category) } })
          }
        >
          Halt {deskNameOf(category)}
        </Button>
      ))}
  </section>
)
