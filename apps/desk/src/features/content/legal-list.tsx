import { LEGAL_DOCUMENTS, type LanguageCode } from '@fairlot/contract'
import { getLegalVersion, listLegalVersions, type LegalVersion, legalFile } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { DetailHead, Passage, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import { DOCUMENT_NAMES } from './content-words.ts'

const keyOf = ({ document, version }: LegalVersion): string => `${document} ${version}`
const from = (at: number, now: number): string => (at === 0 ? 'the beginning' : moment(at, now))

const stateOf = ({ isInForce, effectiveAt }: LegalVersion, now: number) => {
  if (isInForce) return <Badge tone="up">In force</Badge>
  return effectiveAt > now ? <Badge tone="brass">To come</Badge> : <Badge>Past</Badge>
}

const columnsAt = (now: number): readonly Column<LegalVersion>[] => [
  { key: 'document', title: 'Document', cell: ({ document }) => DOCUMENT_NAMES[document], onPhone: 'title' },
  { key: 'version', title: 'Version', cell: ({ version }) => version },
  { key: 'state', title: 'State', cell: (row) => stateOf(row, now), onPhone: 'figure' },
  { key: 'from', title: 'Holds from', cell: ({ effectiveAt }) => from(effectiveAt, now) },
  {
    key: 'languages',
    title: 'Languages',
    cell: ({ languages }) => languages.length,
    align: 'end',
    onPhone: 'hidden',
  },
]

/** Every version of every legal document: none is ever changed or goes. */
export function LegalList({ filter }: { filter: PageFilter<string> }) {
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
      <DetailHead kind={`Version ${version}`} title={DOCUMENT_NAMES[document]} badge={stateOf(open, now)} />
      <FactList
        facts={[
          { label: 'Holds from', value: from(effectiveAt, now) },
          { label: 'Written', value: `${moment(writtenAt, now)}, ${writtenBy || 'with the software'}` },
          ...(reason === '' ? [] : [{ label: 'Why', value: reason }]),
        ]}
      />
      <SelectField
        label="Language"
        value={chosen}
        options={open.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        onChange={setChosen}
      />
      <Passage title="What people agree to">
        <p className="mt-1 whitespace-pre-line" lang={LANGUAGE_TAGS[chosen]} dir={directionOf(chosen)}>
          {problem ?? text?.body}
        </p>
      </Passage>
    </>
  )
}
