import { LEGAL_DOCUMENTS, type LanguageCode, type LegalDocument } from '@fairlot/contract'
import { addLegalVersion, getLegalVersion, listLegalVersions, type LegalText } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { momentOfField } from '../../i18n/moment-field.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import { DOCUMENT_NAMES } from './content-words.ts'
import { LanguageTabs } from './language-tabs.tsx'

/** A new version of a document, which begins with the words of the latest one. */
export function LegalEditor({ filter }: { filter: PageFilter<string> }) {
  const { document: asked } = useParams()
  const document = LEGAL_DOCUMENTS.find((each) => each === asked) ?? 'terms'
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
    const retry = list.problem === null ? latestText.retry : list.retry
    return (
      <EmptyState
        icon={CircleAlert}
        title="This could not be loaded"
        text={problem}
        action={<Button onClick={retry}>Try again</Button>}
      />
    )
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
  // A version that somebody else adds meanwhile makes the form out of date, which the server says.
  const [follows] = useState(latest)
  const [texts, setTexts] = useState(() => new Map(before.map(({ language, body }) => [language, body])))
  const [language, setLanguage] = useState<LanguageCode>('en')
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const written = [...texts].filter(([, body]) => body.trim() !== '')
  return (
    <Page
      title={`${DOCUMENT_NAMES[document]}: a new version`}
      filter={filter}
      actions={
        <Button size="small" disabled={written.length === 0} onClick={() => setIsAsking(true)}>
          Put in force
        </Button>
      }
    >
      <div className="flex max-w-3xl flex-col gap-4 rounded-card bg-surface p-4">
        <p className="text-note text-second">
          {follows === ''
            ? 'There is no version yet.'
            : `It follows ${follows}, which stays to be read for ever.`}{' '}
          Each line is a paragraph.
        </p>
        <LanguageTabs
          selected={language}
          isWritten={(each) => (texts.get(each) ?? '').trim() !== ''}
          onSelect={setLanguage}
        />
        <TextAreaField
          key={language}
          label={LANGUAGE_NAMES[language]}
          lang={LANGUAGE_TAGS[language]}
          dir={directionOf(language)}
          rows={18}
          value={texts.get(language) ?? ''}
          onChange={(body) => setTexts(new Map(texts).set(language, body))}
        />
      </div>
      {isAsking && (
        <LegalDialog
          form={{ document, follows, texts: written.map(([each, body]) => ({ language: each, body })) }}
          onDone={() => void navigate('/content/legal')}
          onClose={() => setIsAsking(false)}
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
  const [from, setFrom] = useState('')
  const effectiveAt = momentOfField(from)
  return (
    <ReasonDialog
      title="Put in force"
      text="Whoever registers from then on agrees to these words. They can never be changed, only followed by others."
      endpoint={addLegalVersion}
      inputOf={(reason) => ({ ...form, effectiveAt: effectiveAt ?? 0, reason })}
      check={() => (effectiveAt === null ? 'Say from when it holds.' : null)}
      sendLabel="Put in force"
      done="The new version is kept."
      onDone={onDone}
      onClose={onClose}
    >
      <TextField label="Holds from (UTC)" type="datetime-local" value={from} onChange={setFrom} />
    </ReasonDialog>
  )
}
