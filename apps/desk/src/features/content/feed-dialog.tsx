import { LANGUAGE_CODES } from '@fairlot/contract'
import { CONTENT_CATEGORIES, FEED_ITEM_STATES, saveNewsFeed, type NewsFeed } from '@fairlot/contract/desk'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { CATEGORY_NAMES, FEED_STATE_NAMES } from './content-words.ts'

type Form = Pick<NewsFeed, 'address' | 'name' | 'language' | 'category' | 'itemState' | 'isOn'>

const EMPTY: Form = {
  ...{ address: '', name: '', language: 'en', category: 'market', itemState: 'draft', isOn: true },
}

const named = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
  values.map((value) => ({ value, label: names[value] }))

/** Sets a feed up, or changes one. */
export function FeedDialog({ feed, onClose }: { feed: NewsFeed | null; onClose: () => void }) {
  const [change, setChange] = useState<Partial<Form>>({})
  const { address, name, language, category, itemState, isOn } = { ...EMPTY, ...feed, ...change }
  const set = (next: Partial<Form>) => setChange({ ...change, ...next })
  return (
    <ReasonDialog
      title={feed ? `Edit ${feed.name}` : 'Add a feed'}
      endpoint={saveNewsFeed}
      inputOf={(reason) => ({
        ...{ id: feed?.id ?? null, version: feed?.version ?? 0, reason },
        ...{ address, name, language, category, itemState, isOn },
      })}
      check={() => (name.trim() === '' ? 'Say what it is called.' : null)}
      sendLabel="Save"
      done="The feed is saved."
      onClose={onClose}
    >
      <TextField
        label="Address"
        hint="RSS or Atom, on the open internet."
        value={address}
        onChange={(next) => set({ address: next })}
      />
      <TextField
        label="Name"
        hint="Readers see it below each item, as the link to where it comes from."
        value={name}
        onChange={(next) => set({ name: next })}
      />
      <SelectField
        label="Its items"
        value={itemState}
        options={named(FEED_ITEM_STATES, FEED_STATE_NAMES)}
        onChange={(next) => set({ itemState: next })}
      />
      <SelectField
        label="Language"
        value={language}
        options={named(LANGUAGE_CODES, LANGUAGE_NAMES)}
        onChange={(next) => set({ language: next })}
      />
      <SelectField
        label="Category"
        value={category}
        options={named(CONTENT_CATEGORIES, CATEGORY_NAMES)}
        onChange={(next) => set({ category: next })}
      />
      <Checkbox isChecked={isOn} onChange={(next) => set({ isOn: next })}>
        Asked every half hour
      </Checkbox>
    </ReasonDialog>
  )
}
