import type { LanguageCode } from '@fairlot/contract'
import { getContent, saveContent, type ContentItem } from '@fairlot/contract/desk'
import { Banner } from '@fairlot/ui/banner.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useMay } from '../../live/session.ts'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { ContentPreview } from './content-preview.tsx'
import { NewsHead } from './news-head.tsx'
import { NewsText } from './news-text.tsx'
import { PublishActs } from './publish-acts.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useContentDraft } from './use-content-draft.ts'
import { VersionList } from './version-list.tsx'

/** One item, or a new one. */
export function NewsEditor({ filter }: { filter: PageFilter<string> }) {
  const { item } = useParams()
  const id = item === 'new' ? null : Number(item)
  const { data, problem, retry } = useDeskQuery(getContent, { id: id ?? 0 }, { isOn: id !== null })
  if (id === null) return <Editing key="new" latest={null} filter={filter} />
  if (data) return <Editing key={id} latest={data} filter={filter} />
  if (problem === null) return <Skeleton shape="m-5 h-64" />
  const action = <Button onClick={retry}>Try again</Button>
  return <EmptyState icon={CircleAlert} title="This could not be loaded" text={problem} action={action} />
}

type EditingProps = { latest: ContentItem | null; filter: PageFilter<string> }

/** What is written stands on the item as it was opened; when somebody else has saved it meanwhile, that is said. */
function Editing({ latest, filter }: EditingProps) {
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
  /** Of the item as it is kept now; null while it is the one that was opened. */
  newerVersion: number | null
  onReload: () => void
}

function EditorPage({ item, filter, newerVersion, onReload }: EditorPageProps) {
  const draft = useContentDraft(item)
  const [language, setLanguage] = useState<LanguageCode>('en')
  const [ownVersion, setOwnVersion] = useState<number | null>(null)
  const mayEdit = useMay('editContent')
  const navigate = useNavigate()
  const { run, isBusy } = useDeskAct(saveContent, { done: 'Saved.' })
  const save = async () => {
    const done = await run({
      ...{ id: item?.id ?? null, version: item?.version ?? 0, ...draft.head },
      texts: draft.changed,
    })
    if (!done.ok) return
    setOwnVersion(done.value.version)
    if (item === null) void navigate(`/content/news/${done.value.id}`, { replace: true })
  }
  // Nothing is lost by showing what is there now where it is what was just saved, or nothing was changed here.
  const isOwn = newerVersion !== null && (newerVersion === ownVersion || !draft.isChanged)
  useEffect(() => {
    if (isOwn) onReload()
  }, [isOwn, onReload])
  return (
    <Page
      filter={filter}
      title={item ? draft.textIn('en').title || `Item ${item.id}` : 'A new text'}
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
          {mayEdit && item && <PublishActs item={item} isDisabled={draft.isChanged} />}
        </>
      }
    >
      {newerVersion !== null && !isOwn && (
        <Banner icon={CircleAlert}>
          This has been saved since you opened it.{' '}
          <TextButton onClick={onReload}>Show what is there now</TextButton>
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
