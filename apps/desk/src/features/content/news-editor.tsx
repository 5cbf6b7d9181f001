import { directionOf, LANGUAGE_CODES, type LanguageCode, PUBLIC_PICTURE_PATH, tagOf } from '@fairlot/contract'
import {
  CONTENT_CATEGORIES,
  CONTENT_KINDS,
  CONTENT_LENGTH,
  type ContentItem,
  type ContentText,
  type ContentVersion,
  getContent,
  listContentVersions,
  previewContent,
  publishContent,
  saveContent,
  withdrawContent,
} from '@fairlot/contract/desk'
import { Banner } from '@fairlot/ui/feedback/banner.tsx'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { Dialog } from '@fairlot/ui/overlays/dialog.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { moment, momentOfField } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page, type PageFilter, type SectionPageProps } from '../../ui/page.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { CATEGORY_NAMES, KIND_NAMES, StatusBadge } from './content-labels.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import { RichTextField } from './rich-text-field.tsx'
import './rich-text.css'

/** Edits one item or a new one. */
export function NewsEditor({ filter }: SectionPageProps) {
  const { item } = useParams()
  const id = item === 'new' ? null : Number(item)
  const { data, problem, retry } = useDeskQuery(getContent, { id: id ?? 0 }, { isOn: id !== null })
  if (id === null) return <OpenedItem key="new" latest={null} filter={filter} />
  if (data) return <OpenedItem key={id} latest={data} filter={filter} />
  if (problem === null) return <Skeleton shape="m-5 h-64" />
  return <LoadFailed problem={problem} onRetry={retry} />
}

type OpenedItemProps = { latest: ContentItem | null; filter: PageFilter<string> }

/** Edits the item as it was opened, and says when another operator has saved it in the meantime. */
function OpenedItem({ latest, filter }: OpenedItemProps) {
  const [opened, setOpened] = useState(latest)
  return (
    <EditorPage
      key={opened?.version ?? 0}
      item={opened}
      filter={filter}
      newerVersion={latest && opened && latest.version > opened.version ? latest.version : null}
      onReload={() => setOpened(latest)}
    />
  )
}

type EditorPageProps = {
  item: ContentItem | null
  filter: PageFilter<string>
  /** The version now stored; null while it is the opened one. */
  newerVersion: number | null
  onReload: () => void
}

function EditorPage({ item, filter, newerVersion, onReload }: EditorPageProps) {
  const draft = useContentDraft(item)
  const [language, setLanguage] = useState<LanguageCode>('en')
  const [ownVersion, setOwnVersion] = useState<number | null>(null)
  const mayEdit = useMay('editContent')
  const navigate = useNavigate()
  const { run, isBusy } = useDeskAction(saveContent, { done: 'Saved.' })
  const save = async () => {
    const done = await run({
      id: item?.id ?? null,
      version: draft.version,
      ...draft.head,
      texts: draft.changed,
    })
    if (!done.ok) return
    setOwnVersion(done.value.version)
    if (item === null) void navigate(`/content/news/${done.value.id}`, { replace: true })
  }
  // Reloading loses nothing if this operator saved the newer version, or nothing was changed here.
  const isOutdated = newerVersion !== null || draft.version < (item?.version ?? 0)
  const isOwn = newerVersion !== null && (newerVersion === ownVersion || !draft.isChanged)
  useEffect(() => {
    if (isOwn) onReload()
  }, [isOwn, onReload])
  return (
    <Page
      filter={filter}
      title={item ? draft.textIn('en').title || `Item ${item.id}` : 'New item'}
      actions={
        <>
          {item && <StatusBadge status={item.status} />}
          {mayEdit && (
            <Button
              size="small"
              tone="outline"
              isBusy={isBusy}
              disabled={!draft.isChanged}
              onClick={() => void save()}
            >
              Save
            </Button>
          )}
          {mayEdit && item && <PublishActions item={item} isDisabled={draft.isChanged} />}
        </>
      }
    >
      {isOutdated && !isOwn && (
        <Banner icon={CircleAlert}>
          Another operator has saved this since you opened it.{' '}
          <TextButton
            onClick={() => {
              draft.forget()
              onReload()
            }}
          >
            Show the latest version
          </TextButton>
        </Banner>
      )}
      <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4 rounded-card bg-surface p-4">
          <NewsHead draft={draft} isReadOnly={!mayEdit} />
          <NewsText draft={draft} language={language} isReadOnly={!mayEdit} onLanguage={setLanguage} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ContentPreview language={language} texts={draft.written} picture={draft.head.picture} />
          {item && <VersionList id={item.id} language={language} />}
        </div>
      </div>
    </Page>
  )
}

type Head = Pick<ContentItem, 'kind' | 'category' | 'isPinned' | 'picture'>

/** An operator's unsaved changes to an item. */
type ContentDraft = {
  /** The item, or that it is a new one. */
  readonly name: string
  /** The version that the changes were made in; older than the item's if the session ended meanwhile. */
  readonly version: number
  /** Gives the changes up. */
  readonly forget: () => void
  readonly head: Head
  readonly changeHead: (change: Partial<Head>) => void
  readonly textIn: (language: LanguageCode) => ContentText
  readonly changeText: (language: LanguageCode, change: Partial<ContentText>) => void
  readonly isWritten: (language: LanguageCode) => boolean
  /** The languages that have a text. */
  readonly written: readonly ContentText[]
  /** The languages changed since the item was opened. */
  readonly changed: readonly ContentText[]
  readonly isChanged: boolean
}

type Draft = {
  readonly version: number
  readonly head: Partial<Head>
  readonly texts: Partial<Record<LanguageCode, ContentText>>
}

const EMPTY_HEAD: Head = { kind: 'announcement', category: 'company', isPinned: false, picture: null }
const EMPTY_TEXT = { title: '', summary: '', body: '' }

const hasText = ({ title, body }: Pick<ContentText, 'title' | 'body'>): boolean =>
  title.trim() !== '' || body.replace(/<(?!img|hr)[^>]*>|\s/g, '') !== ''

/** Starts from a stored item, or empty. */
function useContentDraft(item: ContentItem | null): ContentDraft {
  const version = item?.version ?? 0
  const name = String(item?.id ?? 'new')
  // One value: what was entered belongs to the version that it was entered in.
  const [draft, setDraft] = useKeptState<Draft>(`news ${name}`, { version, head: {}, texts: {} })
  const { head, texts } = draft
  const storedIn = (language: LanguageCode): ContentText =>
    item?.texts.find((text) => text.language === language) ?? { language, ...EMPTY_TEXT }
  const textIn = (language: LanguageCode) => texts[language] ?? storedIn(language)
  const changed = Object.values(texts).filter((text) => !isSame(text, storedIn(text.language)))
  const { kind, category, isPinned, picture } = { ...(item ?? EMPTY_HEAD), ...head }
  return {
    name,
    head: { kind, category, isPinned, picture },
    version: draft.version,
    forget: () => setDraft({ version, head: {}, texts: {} }),
    changeHead: (change) => setDraft({ ...draft, head: { ...head, ...change } }),
    textIn,
    changeText: (language, change) =>
      setDraft((current) => ({
        ...current,
        texts: {
          ...current.texts,
          [language]: { ...(current.texts[language] ?? storedIn(language)), ...change },
        },
      })),
    isWritten: (language) => hasText(textIn(language)),
    written: LANGUAGE_CODES.map(textIn).filter(hasText),
    changed,
    isChanged: changed.length > 0 || Object.keys(head).length > 0,
  }
}

const isSame = (one: ContentText, other: ContentText): boolean =>
  one.title === other.title && one.summary === other.summary && one.body === other.body

/** The fields of an item that do not depend on the language. */
const NewsHead = ({ draft, isReadOnly }: { draft: ContentDraft; isReadOnly: boolean }) => (
  <>
    <fieldset disabled={isReadOnly} className="grid gap-3 tablet:grid-cols-3 tablet:items-end">
      <SelectField
        label="Kind"
        value={draft.head.kind}
        options={CONTENT_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
        onChange={(kind) => draft.changeHead({ kind })}
      />
      <SelectField
        label="Category"
        value={draft.head.category}
        options={CONTENT_CATEGORIES.map((value) => ({ value, label: CATEGORY_NAMES[value] }))}
        onChange={(category) => draft.changeHead({ category })}
      />
      <Checkbox isChecked={draft.head.isPinned} onChange={(isPinned) => draft.changeHead({ isPinned })}>
        Pinned to the top
      </Checkbox>
    </fieldset>
    <PictureField
      label="Picture"
      hint="Shown above the text and in the list. It will be public."
      value={addressOf(draft.head.picture)}
      isDisabled={isReadOnly}
      onChange={(address) => draft.changeHead({ picture: nameOf(address) })}
    />
  </>
)

/** An item stores the name of its picture, without the path. */
const nameOf = (address: string): string | null =>
  address === '' ? null : address.slice(PUBLIC_PICTURE_PATH.length)
const addressOf = (name: string | null): string => (name === null ? '' : PUBLIC_PICTURE_PATH + name)

type NewsTextProps = {
  draft: ContentDraft
  language: LanguageCode
  isReadOnly: boolean
  onLanguage: (language: LanguageCode) => void
}

function NewsText({ draft, language, isReadOnly, onLanguage }: NewsTextProps) {
  const text = draft.textIn(language)
  const languageProps = { lang: tagOf(language), dir: directionOf(language) }
  return (
    <>
      <LanguageTabs selected={language} isWritten={draft.isWritten} onSelect={onLanguage} />
      <TextField
        {...languageProps}
        label="Title"
        value={text.title}
        maxLength={CONTENT_LENGTH.title}
        readOnly={isReadOnly}
        onChange={(title) => draft.changeText(language, { title })}
      />
      <TextField
        {...languageProps}
        label="Summary"
        value={text.summary}
        maxLength={CONTENT_LENGTH.summary}
        readOnly={isReadOnly}
        hint="Shown in the list below the title."
        onChange={(summary) => draft.changeText(language, { summary })}
      />
      <RichTextField
        key={`${language} ${draft.version}`}
        {...languageProps}
        label="Text"
        name={`news ${draft.name} ${language}`}
        initial={text.body}
        isReadOnly={isReadOnly}
        onChange={(body) => draft.changeText(language, { body })}
      />
    </>
  )
}

/** Pause after the last keystroke, ms. */
const PAUSE_MS = 500

type ContentPreviewProps = {
  language: LanguageCode
  texts: readonly ContentText[]
  /** The name of a public picture. */
  picture: string | null
}

/** The item as readers of a language would see it: the server chooses the language and cleans the HTML as it does for readers. */
function ContentPreview({ language, texts, picture }: ContentPreviewProps) {
  const debounced = useDebounced(texts)
  const { data, problem } = useDeskQuery(previewContent, { language, texts: debounced })
  const shown = data?.shown
  return (
    <section aria-label="Preview" className="rounded-card bg-page p-4">
      <h2 className="text-tiny text-second">
        As readers of {LANGUAGE_NAMES[language]} see it
        {shown &&
          shown.language !== language &&
          `: in ${LANGUAGE_NAMES[shown.language]}, because this text is missing`}
      </h2>
      <div className="mx-auto mt-3 max-w-sm rounded-sheet bg-surface p-4 text-ink">
        {problem !== null && <p className="text-note text-danger">{problem}</p>}
        {problem === null && !shown && <p className="text-note text-second">Nothing to show yet.</p>}
        {shown && (
          <article lang={tagOf(shown.language)} dir={directionOf(shown.language)}>
            {picture !== null && (
              <img src={PUBLIC_PICTURE_PATH + picture} alt="" className="mb-3 w-full rounded-field" />
            )}
            <h3 className="text-title font-bold">{shown.title}</h3>
            {shown.summary !== '' && <p className="mt-1 text-note text-second">{shown.summary}</p>}
            {/* The server has cleaned the HTML. */}
            <div className="rich-text mt-3 text-body" dangerouslySetInnerHTML={{ __html: shown.body }} />
          </article>
        )}
      </div>
    </section>
  )
}

/** The texts after a pause in typing. */
function useDebounced(texts: readonly ContentText[]): readonly ContentText[] {
  const [debounced, setDebounced] = useState(texts)
  const key = JSON.stringify(texts)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(key) as ContentText[]), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [key])
  return debounced
}

/** All versions of an item in one language; none is ever changed. */
function VersionList({ id, language }: { id: number; language: LanguageCode }) {
  const { data } = useDeskQuery(listContentVersions, { id, language })
  const [shown, setShown] = useState<ContentVersion | null>(null)
  const now = useNow()
  if (!data || data.versions.length === 0) return null
  return (
    <section aria-label="Versions">
      <h2 className="text-tiny text-second">Versions in {LANGUAGE_NAMES[language]}</h2>
      <ul className="divide-y divide-dashed divide-line">
        {data.versions.map((each) => (
          <li key={each.version} className="flex items-center justify-between gap-3 text-note">
            <TextButton onClick={() => setShown(each)}>{each.title || 'removed'}</TextButton>
            <span className="text-second">
              {moment(each.at, now)}, {each.author || 'default text'}
            </span>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog
          title={shown.title || 'Removed'}
          text={`${moment(shown.at, now)}, ${shown.author || 'default text'}`}
          onClose={() => setShown(null)}
          footer={
            <ButtonRow>
              <Button tone="outline" onClick={() => setShown(null)}>
                Close
              </Button>
            </ButtonRow>
          }
        >
          <p className="text-note text-second">{shown.summary}</p>
          {/* The server cleaned the HTML when it was saved. */}
          <div className="rich-text text-body" dangerouslySetInnerHTML={{ __html: shown.body }} />
        </Dialog>
      )}
    </section>
  )
}

/** Publishes or withdraws an item. `isDisabled`: the form has unsaved changes. */
function PublishActions({ item, isDisabled }: { item: ContentItem; isDisabled: boolean }) {
  const [openDialog, setOpenDialog] = useState<'publish' | 'withdraw' | null>(null)
  const isShown = item.status === 'published' || item.status === 'scheduled'
  const close = () => setOpenDialog(null)
  return (
    <>
      {isShown && (
        <Button size="small" tone="danger" onClick={() => setOpenDialog('withdraw')}>
          Withdraw
        </Button>
      )}
      {item.status !== 'published' && (
        <Button size="small" disabled={isDisabled} onClick={() => setOpenDialog('publish')}>
          Publish
        </Button>
      )}
      {openDialog === 'publish' && <PublishDialog item={item} onClose={close} />}
      {openDialog === 'withdraw' && (
        <ReasonDialog
          title="Withdraw"
          text="Readers no longer see it. It stays here with all its versions."
          endpoint={withdrawContent}
          inputOf={(reason) => ({ id: item.id, version: item.version, reason })}
          submitLabel="Withdraw"
          tone="danger"
          done="Withdrawn."
          onClose={close}
        />
      )}
    </>
  )
}

function PublishDialog({ item: { id, version }, onClose }: { item: ContentItem; onClose: () => void }) {
  const [when, setWhen] = useKeptState<'now' | 'later'>(`publish ${id}`, 'now')
  const [text, setText] = useKeptState(`publish ${id} from`, '')
  const publishAt = when === 'now' ? null : momentOfField(text)
  return (
    <ReasonDialog
      title="Publish"
      text="Everyone can then read it, in their own language or the nearest available."
      endpoint={publishContent}
      inputOf={(reason) => ({ id, version, publishAt, reason })}
      check={() => (when === 'later' && publishAt === null ? 'Enter a publication time.' : null)}
      submitLabel="Publish"
      done={when === 'now' ? 'Published.' : 'Scheduled.'}
      onClose={onClose}
    >
      <Segmented
        label="When"
        value={when}
        options={[
          { value: 'now', label: 'At once' },
          { value: 'later', label: 'Scheduled' },
        ]}
        onChange={setWhen}
      />
      {when === 'later' && (
        <TextField label="From (UTC)" type="datetime-local" value={text} onChange={setText} />
      )}
    </ReasonDialog>
  )
}
