import {
  fieldLabel,
  type InstrumentRow,
  instrumentsFile,
  type InstrumentTerms,
  listDeskInstruments,
  listDeskSessions,
  NEW_FORM_KEY,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { useKeptForm } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { namedField } from '../../ui/change-list.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import { nameOfCategory, useCategories } from './category-names.ts'
import { HaltDialog, RequestHaltDialog, ResumeDialog } from './halt-dialogs.tsx'
import { type Choices, instrumentSections, NEW_FIELD_TEXTS } from './instrument-fields.ts'
import { SourceBadge } from './source-badge.tsx'
import { fieldTextOf, type FieldTexts, fieldTextsOf, termsOf, TermsSections } from './terms-form.tsx'
import { ReviewedForm } from './terms-review.tsx'

const columnsFor = (categories: Choices['categories']): readonly Column<InstrumentRow>[] => [
  { key: 'code', title: 'Instrument', cell: ({ terms }) => asName(terms.showCode), onPhone: 'title' },
  {
    key: 'category',
    title: 'Category',
    cell: ({ terms: { category } }) => nameOfCategory(categories, category),
  },
  { key: 'state', title: 'State', cell: (row) => <State row={row} />, onPhone: 'figure' },
  { key: 'source', title: 'Prices', cell: ({ source }) => <SourceBadge kind={source} /> },
  {
    key: 'fee',
    title: 'Fee',
    cell: ({ terms }) => fieldTextOf('ratio', terms.feeRate),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'leverage',
    title: 'Leverage',
    cell: ({ terms }) => (terms.leverages.length > 0 ? `up to ${terms.leverages.at(-1)}` : 'none'),
    align: 'end',
  },
  {
    key: 'lots',
    title: 'Lots',
    cell: ({ terms }) => `${fieldTextOf('lots', terms.lotMin)}–${fieldTextOf('lots', terms.lotMax)}`,
    align: 'end',
    onPhone: 'hidden',
  },
  { key: 'hours', title: 'Hours', cell: ({ terms }) => asName(terms.session), onPhone: 'hidden' },
  {
    key: 'orders',
    title: 'Positions · pending',
    cell: ({ positions, pendingOrders }) => `${positions} · ${pendingOrders}`,
    align: 'end',
    onPhone: 'hidden',
  },
]

function State({ row: { terms, haltReason, isOpen, announced } }: { row: InstrumentRow }) {
  if (!terms.isEnabled) return <Badge>off</Badge>
  if (haltReason !== null) return <Badge tone="down">halted</Badge>
  if (announced > 0) return <Badge tone="brass">change announced</Badge>
  return <Badge tone={isOpen ? 'up' : 'plain'}>{isOpen ? 'open' : 'closed'}</Badge>
}

/** The detail: an instrument, its form, or the form of a new one. */
type Opened = { readonly row: InstrumentRow | null; readonly isEditing: boolean }

/** All instruments with their terms in force, and the forms to change and add them. */
export function InstrumentsScreen({ filter }: SectionPageProps) {
  const [search, setSearch] = useState('')
  const { data, problem, retry } = useDeskQuery(listDeskInstruments, { search })
  const { data: hours } = useDeskQuery(listDeskSessions, null)
  const mayChange = useMay('changeTerms')
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  // The current row; an open row stays open while a search hides it.
  const row = data?.instruments.find(({ id }) => id === opened?.row?.id) ?? opened?.row ?? null
  const choices = {
    categories: useCategories(),
    sessions: ['always', ...(hours?.sessions.map(({ terms }) => terms.name) ?? [])],
  }
  const showRow = () => setOpened(row && { row, isEditing: false })
  return (
    <SplitView
      onClose={close}
      detail={
        opened?.isEditing
          ? {
              name: row ? `Change ${row.terms.showCode}` : 'New instrument',
              body: <InstrumentForm key={row?.id ?? 0} row={row} choices={choices} onClose={showRow} />,
            }
          : row && {
              name: row.terms.showCode,
              body: <InstrumentDetail row={row} choices={choices} />,
              actions: (
                <InstrumentActions
                  key={row.id}
                  row={row}
                  onEdit={mayChange ? () => setOpened({ row, isEditing: true }) : null}
                />
              ),
            }
      }
    >
      <Page
        title="Market"
        filter={filter}
        search={{ label: 'Find an instrument', value: search, onSearch: setSearch }}
        file={<CsvButton file={instrumentsFile} input={{ search }} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setOpened({ row: null, isEditing: true })}>
              New
            </Button>
          )
        }
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          label="Instruments"
          columns={columnsFor(choices.categories)}
          rows={data?.instruments}
          keyOf={({ id }) => id}
          selected={opened?.row?.id ?? null}
          onOpen={(each) => setOpened({ row: each, isEditing: false })}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No instruments' }}
        />
      </Page>
    </SplitView>
  )
}

type InstrumentDetailProps = { row: InstrumentRow; choices: Choices }

function InstrumentDetail({ row, choices }: InstrumentDetailProps) {
  const { terms, haltReason, announced, source } = row
  const sections = instrumentSections({ ...choices, isNew: false, marginMode: terms.marginMode })
  const texts = fieldTextsOf(sections, terms)
  return (
    <>
      <DetailHead
        kind={`Instrument ${asName(row.id)} · ${asName(terms.code)}`}
        title={asName(terms.showCode)}
        badge={<SourceBadge kind={source} />}
      />
      {haltReason !== null && (
        <TitledBox title="Halted. Reason shown to users">
          <p>“{haltReason}”</p>
        </TitledBox>
      )}
      {announced > 0 && (
        <p>
          <Badge tone="brass">
            {announced === 1 ? 'A change is announced' : `${announced} changes are announced`}
          </Badge>
        </p>
      )}
      {sections.map(({ title, fields }) => (
        <section key={title}>
          <h3 className="text-note font-bold">{title}</h3>
          <FactList
            facts={fields.map(({ name, label = fieldLabel(name), isPicture = false }) => ({
              label,
              value:
                isPicture && texts[name] ? (
                  <Logo address={texts[name]} />
                ) : (
                  namedField(name, texts[name] ?? '') || '–'
                ),
            }))}
          />
        </section>
      ))}
    </>
  )
}

const Logo = ({ address }: { address: string }) => (
  <img src={address} alt="" className="size-7 rounded-full bg-white object-cover" />
)

type InstrumentActionsProps = { row: InstrumentRow; onEdit: (() => void) | null }

function InstrumentActions({ row, onEdit }: InstrumentActionsProps) {
  const [mayHalt, mayRequest] = [useMay('halt'), useMay('askHalt')]
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const close = () => setIsDialogOpen(false)
  const dialog = { scope: { instrumentId: row.id, name: row.terms.showCode }, onClose: close }
  const isHalted = row.haltReason !== null
  return (
    <>
      {mayHalt && (
        <Button tone={isHalted ? 'outline' : 'danger'} onClick={() => setIsDialogOpen(true)}>
          {isHalted ? 'Resume' : 'Halt'}
        </Button>
      )}
      {mayRequest && !mayHalt && !isHalted && (
        <Button tone="outline" onClick={() => setIsDialogOpen(true)}>
          Request a halt
        </Button>
      )}
      {onEdit && <Button onClick={onEdit}>Change terms</Button>}
      {isDialogOpen && mayHalt && (isHalted ? <ResumeDialog {...dialog} /> : <HaltDialog {...dialog} />)}
      {isDialogOpen && !mayHalt && (
        <RequestHaltDialog instrumentId={row.id} name={asName(row.terms.showCode)} onClose={close} />
      )}
    </>
  )
}

type InstrumentFormProps = {
  /** Null for a new one. */
  row: InstrumentRow | null
  choices: Choices
  onClose: () => void
}

/** The form of an instrument's terms: shows problems beside their fields, and a review of the changes before they are sent. */
function InstrumentForm({ row, choices, onClose }: InstrumentFormProps) {
  const sectionsFor = (marginMode: string) =>
    instrumentSections({ ...choices, isNew: row === null, marginMode })
  // What the form was opened with: the server rejects the change if another operator has changed the terms since.
  const [opened] = useState<{ formKey: string; texts: FieldTexts }>(() =>
    row
      ? { formKey: row.formKey, texts: fieldTextsOf(sectionsFor(row.terms.marginMode), row.terms) }
      : { formKey: NEW_FORM_KEY, texts: NEW_FIELD_TEXTS },
  )
  const form = useKeptForm(`instrument ${row?.id ?? 'new'}`, () => opened.texts)
  const sections = sectionsFor(form.values['marginMode'] ?? '')
  // In fixed margin mode the contract size is an amount of money, not of units, so the old value no longer applies.
  const set = ({ marginMode, ...change }: Partial<FieldTexts>) => {
    const contractSize = marginMode === opened.texts['marginMode'] ? opened.texts['contractSize'] : ''
    form.set(marginMode === undefined ? change : { ...change, marginMode, contractSize })
  }
  const draftOf = () => {
    const read = termsOf<InstrumentTerms>(sections, form.values)
    if ('problems' in read) {
      form.reject(read.problems)
      return null
    }
    return {
      kind: 'instrument' as const,
      instrumentId: row?.id ?? null,
      formKey: opened.formKey,
      instrument: read.terms,
      session: null,
      settings: null,
    }
  }
  return (
    <ReviewedForm
      kind={row ? `Instrument ${row.id}` : 'Market'}
      title={row ? `Change ${asName(row.terms.showCode)}` : 'New instrument'}
      form={form}
      draftOf={draftOf}
      onClose={onClose}
    >
      <TermsSections sections={sections} form={{ ...form, set }} />
    </ReviewedForm>
  )
}
