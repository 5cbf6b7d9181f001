import { directionOf, type LanguageCode, LEGAL_DOCUMENTS, type LegalDocument, tagOf } from '@fairlot/contract'
import {
  addLegalVersion,
  getLegalVersion,
  legalFile,
  type LegalText,
  type LegalVersion,
  listLegalVersions,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { Route, Routes, useNavigate, useParams } from 'react-router'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { moment, momentOfField } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page, type PageFilter, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import { DOCUMENT_NAMES } from './content-labels.tsx'
import { LanguageTabs } from './language-tabs.tsx'

/** Legal texts: the list of versions, and the editor of a new one. */
export const LegalScreen = ({ filter }: SectionPageProps) => (
  <Routes>
    <Route index element={<LegalList filter={filter} />} />
    <Route path="new/:document" element={<LegalEditor filter={filter} />} />
  </Routes>
)

const keyOf = ({ document, version }: LegalVersion): string => `${document} ${version}`
const startText = (at: number, now: number): string => (at === 0 ? 'the start' : moment(at, now))

type StateBadgeProps = { version: LegalVersion; now: number }

function StateBadge({ version: { isInForce, effectiveAt }, now }: StateBadgeProps) {
  if (isInForce) return <Badge tone="up">In force</Badge>
  return effectiveAt > now ? <Badge tone="brass">Upcoming</Badge> : <Badge>Past</Badge>
}

const columnsAt = (now: number): readonly Column<LegalVersion>[] => [
  { key: 'document', title: 'Document', cell: ({ document }) => DOCUMENT_NAMES[document], onPhone: 'title' },
  { key: 'version', title: 'Version', cell: ({ version }) => version },
  { key: 'state', title: 'State', cell: (row) => <StateBadge version={row} now={now} />, onPhone: 'figure' },
  { key: 'from', title: 'Effective from', cell: ({ effectiveAt }) => startText(effectiveAt, now) },
  {
    key: 'languages',
    title: 'Languages',
    cell: ({ languages }) => languages.length,
    align: 'end',
    onPhone: 'hidden',
  },
]

/** All versions of all legal documents; none is ever changed or deleted. */
function LegalList({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listLegalVersions, null)
  const [openKey, setOpenKey] = useState<string | null>(null)
  const mayEdit = useMay('editLegalText')
  const navigate = useNavigate()
  const now = useNow()
  const open = data?.versions.find((row) => keyOf(row) === openKey)
  const name = open ? `${DOCUMENT_NAMES[open.document]} ${open.version}` : ''
  return (
    <SplitView
      onClose={useCallback(() => setOpenKey(null), [])}
      detail={open ? { name, body: <LegalDetail key={openKey} open={open} /> } : null}
    >
      <Page title="Content" filter={filter} file={<CsvButton file={legalFile} input={null} />}>
        {mayEdit && (
          <div className="mb-3 flex flex-wrap gap-2">
            {LEGAL_DOCUMENTS.map((document) => (
              <Button
                key={document}
                size="small"
                tone="outline"
                onClick={() => void navigate(`/content/legal/new/${document}`)}
              >
                New {DOCUMENT_NAMES[document].toLowerCase()}
              </Button>
            ))}
          </div>
        )}
        <DataTable
          label="Legal texts"
          columns={columnsAt(now)}
          rows={data?.versions}
          keyOf={keyOf}
          selected={openKey}
          onOpen={(row) => setOpenKey(keyOf(row))}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No legal texts yet' }}
        />
      </Page>
    </SplitView>
  )
}

function LegalDetail({ open }: { open: LegalVersion }) {
  const { document, version, effectiveAt, writtenBy, writtenAt, reason } = open
  const { data, problem } = useDeskQuery(getLegalVersion, { document, version })
  const [chosen, setChosen] = useState<LanguageCode>(open.languages[0] ?? 'en')
  const now = useNow()
  const text = data?.texts.find(({ language }) => language === chosen)
  return (
    <>
      <DetailHead
        kind={`Version ${version}`}
        title={DOCUMENT_NAMES[document]}
        badge={<StateBadge version={open} now={now} />}
      />
      <FactList
        facts={[
          { label: 'Effective from', value: startText(effectiveAt, now) },
          {
            label: 'Written',
            value: `${asName(moment(writtenAt, now))}, ${asName(writtenBy) || 'default text'}`,
          },
          ...(reason === '' ? [] : [{ label: 'Reason', value: reason }]),
        ]}
      />
      <SelectField
        label="Language"
        value={chosen}
        options={open.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        onChange={setChosen}
      />
      <TitledBox title="What users agree to">
        <p className="mt-1 whitespace-pre-line" lang={tagOf(chosen)} dir={directionOf(chosen)}>
          {problem ?? text?.body}
        </p>
      </TitledBox>
    </>
  )
}

/** A new version of a legal document, which starts from the latest text. */
function LegalEditor({ filter }: SectionPageProps) {
  const { document: requested } = useParams()
  const document = LEGAL_DOCUMENTS.find((each) => each === requested) ?? 'terms'
  const list = useDeskQuery(listLegalVersions, null)
  const all = list.data
  const latest = all?.versions.find((row) => row.document === document)
  const follows = latest?.version ?? ''
  const isOn = follows !== ''
  const latestText = useDeskQuery(getLegalVersion, { document, version: follows }, { isOn })
  const before = latestText.data
  const problem = list.problem ?? latestText.problem
  if (!all || (isOn && !before)) {
    if (problem === null) return <Skeleton shape="m-5 h-64" />
    return <LoadFailed problem={problem} onRetry={list.problem === null ? latestText.retry : list.retry} />
  }
  const form = { document, follows, filter, before: before?.texts ?? [] }
  return <LegalForm key={document} {...form} />
}

type LegalFormProps = {
  document: LegalDocument
  follows: string
  before: readonly LegalText[]
  filter: PageFilter<string>
}

function LegalForm({ document, follows: latest, before, filter }: LegalFormProps) {
  // The server rejects the form when another operator has added a version in the meantime.
  const [{ follows, texts }, setDraft] = useKeptState(`legal ${document}`, () => ({
    follows: latest,
    texts: new Map(before.map(({ language, body }) => [language, body])),
  }))
  const [language, setLanguage] = useState<LanguageCode>('en')
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const navigate = useNavigate()
  const written = [...texts].filter(([, body]) => body.trim() !== '')
  return (
    <Page
      title={`${DOCUMENT_NAMES[document]}: new version`}
      filter={filter}
      actions={
        <Button size="small" disabled={written.length === 0} onClick={() => setIsDialogOpen(true)}>
          Publish version
        </Button>
      }
    >
      <div className="flex max-w-3xl flex-col gap-4 rounded-card bg-surface p-4">
        <p className="text-note text-second">
          {follows === ''
            ? 'There is no version yet.'
            : `It replaces version ${follows}, which stays readable.`}{' '}
          Each line is a paragraph. Readers of the other languages are told that the English text applies, or
          the Chinese one where there is no English.
        </p>
        <LanguageTabs
          selected={language}
          isWritten={(each) => (texts.get(each) ?? '').trim() !== ''}
          onSelect={setLanguage}
        />
        <TextAreaField
          key={language}
          label={LANGUAGE_NAMES[language]}
          lang={tagOf(language)}
          dir={directionOf(language)}
          rows={18}
          value={texts.get(language) ?? ''}
          onChange={(body) => setDraft({ follows, texts: new Map(texts).set(language, body) })}
        />
      </div>
      {isDialogOpen && (
        <LegalDialog
          form={{ document, follows, texts: written.map(([each, body]) => ({ language: each, body })) }}
          onDone={() => void navigate('/content/legal')}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </Page>
  )
}

type LegalDialogProps = {
  form: { document: LegalDocument; follows: string; texts: readonly LegalText[] }
  onDone: () => void
  onClose: () => void
}

function LegalDialog({ form, onDone, onClose }: LegalDialogProps) {
  const [from, setFrom] = useKeptState(`legal ${form.document} from`, '')
  const effectiveAt = momentOfField(from)
  return (
    <ReasonDialog
      title="Publish version"
      text="Everyone who registers from then on agrees to this text. It cannot be changed, only replaced by a new version."
      endpoint={addLegalVersion}
      inputOf={(reason) => ({ ...form, effectiveAt: effectiveAt ?? 0, reason })}
      check={() => (effectiveAt === null ? 'Enter when it takes effect.' : null)}
      submitLabel="Publish version"
      done="New version saved."
      onDone={onDone}
      onClose={onClose}
    >
      <TextField label="Effective from (UTC)" type="datetime-local" value={from} onChange={setFrom} />
    </ReasonDialog>
  )
}
