import { askNewsFeed, listNewsFeeds, type NewsFeed } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { CATEGORY_NAMES, FEED_PROBLEM_TEXTS, FEED_STATE_NAMES } from './content-words.ts'
import { FeedDialog } from './feed-dialog.tsx'

function stateOf({ isOn, problem }: NewsFeed) {
  if (!isOn) return <Badge tone="down">Off</Badge>
  return problem === null ? <Badge tone="up">On</Badge> : <Badge tone="brass">Trouble</Badge>
}

const columnsAt = (now: number): readonly Column<NewsFeed>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => name, onPhone: 'title' },
  { key: 'state', title: 'State', cell: stateOf, onPhone: 'figure' },
  { key: 'items', title: 'Its items', cell: ({ itemState }) => FEED_STATE_NAMES[itemState] },
  { key: 'taken', title: 'Taken in', cell: ({ taken }) => String(taken), align: 'end' },
  {
    key: 'asked',
    title: 'Last asked',
    cell: ({ askedAt }) => (askedAt === null ? 'not yet' : moment(askedAt, now)),
    align: 'end',
    onPhone: 'hidden',
  },
]

/** Feeds of others, whose items become news here. One is switched off, never deleted. */
export function FeedsScreen({ filter }: { filter: PageFilter<string> }) {
  const { data, problem, retry } = useDeskQuery(listNewsFeeds, null)
  const [openId, setOpenId] = useState<number | null>(null)
  const [editing, setEditing] = useState<NewsFeed | 'new' | null>(null)
  const mayEdit = useMay('editFeeds')
  const now = useNow()
  const open = data?.feeds.find(({ id }) => id === openId)
  const acts = mayEdit && open && <FeedActs feed={open} onEdit={() => setEditing(open)} />
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={open ? { name: open.name, body: <FeedDetail feed={open} />, acts } : null}
    >
      <Page
        title="Content"
        filter={filter}
        actions={
          mayEdit && (
            <Button size="small" onClick={() => setEditing('new')}>
              Add
            </Button>
          )
        }
      >
        <DataTable
          rows={data?.feeds}
          {...{ problem, onRetry: retry, selected: openId }}
          label="Feeds"
          columns={columnsAt(now)}
          keyOf={({ id }) => id}
          onOpen={({ id }) => setOpenId(id)}
          empty={{
            title: 'No feed is set up',
            text: 'Items of an RSS or Atom feed become news here, cleaned, as drafts or at once.',
          }}
        />
      </Page>
      {editing && <FeedDialog feed={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </SplitView>
  )
}

function FeedActs({ feed, onEdit }: { feed: NewsFeed; onEdit: () => void }) {
  const { run, isBusy } = useDeskAct(askNewsFeed, { done: 'The feed is being asked.' })
  return (
    <>
      <Button tone="outline" isBusy={isBusy} onClick={() => void run({ id: feed.id })}>
        Ask it now
      </Button>
      <Button onClick={onEdit}>Edit</Button>
    </>
  )
}

function FeedDetail({ feed }: { feed: NewsFeed }) {
  const now = useNow()
  const { problem, askedAt } = feed
  return (
    <>
      <DetailHead kind={`Feed ${feed.id}`} title={feed.name} badge={stateOf(feed)} />
      {problem !== null && <p className="text-note text-danger">{FEED_PROBLEM_TEXTS[problem]}</p>}
      <FactList
        facts={[
          { label: 'Address', value: feed.address },
          { label: 'Its items', value: FEED_STATE_NAMES[feed.itemState] },
          { label: 'Language', value: LANGUAGE_NAMES[feed.language] },
          { label: 'Category', value: CATEGORY_NAMES[feed.category] },
          { label: 'Taken in so far', value: String(feed.taken) },
          { label: 'Last asked', value: askedAt === null ? 'not yet' : moment(askedAt, now) },
          { label: 'Changed', value: moment(feed.changedAt, now) },
        ]}
      />
    </>
  )
}
