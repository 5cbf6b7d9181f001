import { LANGUAGE_CODES } from '@fairlot/contract'
import {
  fetchNewsFeed,
  CONTENT_CATEGORIES,
  FEED_ITEM_STATES,
  listNewsFeeds,
  type NewsFeed,
  saveNewsFeed,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import { CATEGORY_NAMES, FEED_PROBLEM_TEXTS, FEED_STATE_NAMES } from './content-labels.tsx'

function StateBadge({ feed: { isOn, problem } }: { feed: NewsFeed }) {
  if (!isOn) return <Badge tone="down">Off</Badge>
  return problem === null ? <Badge tone="up">On</Badge> : <Badge tone="brass">Failing</Badge>
}

const columnsAt = (now: number): readonly Column<NewsFeed>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => asName(name), onPhone: 'title' },
  { key: 'state', title: 'State', cell: (feed) => <StateBadge feed={feed} />, onPhone: 'figure' },
  { key: 'items', title: 'Items', cell: ({ itemState }) => FEED_STATE_NAMES[itemState] },
  { key: 'taken', title: 'Items imported', cell: ({ taken }) => String(taken), align: 'end' },
  {
    key: 'asked',
    title: 'Last fetched',
    cell: ({ askedAt }) => (askedAt === null ? 'not yet' : moment(askedAt, now)),
    align: 'end',
    onPhone: 'hidden',
  },
]

/** External feeds whose items become news. Feeds are switched off, never deleted. */
export function NewsFeedsScreen({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listNewsFeeds, null)
  const [openId, setOpenId] = useState<number | null>(null)
  const [editing, setEditing] = useState<NewsFeed | 'new' | null>(null)
  const mayEdit = useMay('editFeeds')
  const now = useNow()
  const open = data?.feeds.find(({ id }) => id === openId)
  const actions = mayEdit && open && <FeedActions feed={open} onEdit={() => setEditing(open)} />
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={open ? { name: open.name, body: <FeedDetail feed={open} />, actions } : null}
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
          problem={problem}
          onRetry={retry}
          selected={openId}
          label="Feeds"
          columns={columnsAt(now)}
          keyOf={({ id }) => id}
          onOpen={({ id }) => setOpenId(id)}
          empty={{
            title: 'No feed is set up',
            text: 'Items of RSS or Atom feeds become news, as drafts or published at once.',
          }}
        />
      </Page>
      {editing && <FeedDialog feed={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </SplitView>
  )
}

function FeedActions({ feed, onEdit }: { feed: NewsFeed; onEdit: () => void }) {
  const { run, isBusy } = useDeskAction(fetchNewsFeed, { done: 'Fetching the feed.' })
  return (
    <>
      <Button tone="outline" isBusy={isBusy} onClick={() => void run({ id: feed.id })}>
        Fetch now
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
      <DetailHead
        kind={`Feed ${asName(feed.id)}`}
        title={asName(feed.name)}
        badge={<StateBadge feed={feed} />}
      />
      {problem !== null && <p className="text-note text-danger">{FEED_PROBLEM_TEXTS[problem]}</p>}
      <FactList
        facts={[
          { label: 'Address', value: asName(feed.address) },
          { label: 'Items', value: FEED_STATE_NAMES[feed.itemState] },
          { label: 'Language', value: LANGUAGE_NAMES[feed.language] },
          { label: 'Category', value: CATEGORY_NAMES[feed.category] },
          { label: 'Items imported', value: String(feed.taken) },
          { label: 'Last fetched', value: askedAt === null ? 'not yet' : moment(askedAt, now) },
          { label: 'Changed', value: moment(feed.changedAt, now) },
        ]}
      />
    </>
  )
}

type Form = Pick<NewsFeed, 'address' | 'name' | 'language' | 'category' | 'itemState' | 'isOn'>

const EMPTY: Form = {
  address: '',
  name: '',
  language: 'en',
  category: 'market',
  itemState: 'draft',
  isOn: true,
}

const optionsOf = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
  values.map((value) => ({ value, label: names[value] }))

const UNCHANGED: Partial<Form> = {}

/** Adds or edits a feed. */
function FeedDialog({ feed, onClose }: { feed: NewsFeed | null; onClose: () => void }) {
  const [change, setChange] = useKeptState<Partial<Form>>(`feed ${feed?.id ?? 'new'}`, UNCHANGED)
  const { address, name, language, category, itemState, isOn } = { ...EMPTY, ...feed, ...change }
  const set = (next: Partial<Form>) => setChange({ ...change, ...next })
  return (
    <ReasonDialog
      title={feed ? `Edit ${asName(feed.name)}` : 'Add a feed'}
      endpoint={saveNewsFeed}
      inputOf={(reason) => ({
        id: feed?.id ?? null,
        version: feed?.version ?? 0,
        reason,
        address,
        name,
        language,
        category,
        itemState,
        isOn,
      })}
      check={() => (name.trim() === '' ? 'Enter a name.' : null)}
      submitLabel="Save"
      done="Feed saved."
      onClose={onClose}
    >
      <TextField
        label="Address"
        hint="An RSS or Atom feed on the public internet."
        value={address}
        onChange={(next) => set({ address: next })}
      />
      <TextField
        label="Name"
        hint="Shown below each item, as the link to its source."
        value={name}
        onChange={(next) => set({ name: next })}
      />
      <SelectField
        label="Items"
        value={itemState}
        options={optionsOf(FEED_ITEM_STATES, FEED_STATE_NAMES)}
        onChange={(next) => set({ itemState: next })}
      />
      <SelectField
        label="Language"
        value={language}
        options={optionsOf(LANGUAGE_CODES, LANGUAGE_NAMES)}
        onChange={(next) => set({ language: next })}
      />
      <SelectField
        label="Category"
        value={category}
        options={optionsOf(CONTENT_CATEGORIES, CATEGORY_NAMES)}
        onChange={(next) => set({ category: next })}
      />
      <Checkbox isChecked={isOn} onChange={(next) => set({ isOn: next })}>
        Fetch every 30 minutes
      </Checkbox>
    </ReasonDialog>
  )
}
