import { PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import { CONTENT_CATEGORIES, CONTENT_KINDS } from '@fairlot/contract/desk'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { CATEGORY_NAMES, KIND_NAMES } from './content-words.ts'
import type { ContentDraft } from './use-content-draft.ts'

/** What an item is, in every language. */
export const NewsHead = ({ draft, isReadOnly }: { draft: ContentDraft; isReadOnly: boolean }) => (
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
      hint="Stands above the text and in the list. Everybody may see it."
      value={addressOf(draft.head.picture)}
      isDisabled={isReadOnly}
      onChange={(address) => draft.changeHead({ picture: nameOf(address) })}
    />
  </>
)

/** An item keeps the name of its picture alone. */
const nameOf = (address: string): string | null =>
  address === '' ? null : address.slice(PUBLIC_PICTURE_PATH.length)
const addressOf = (name: string | null): string => (name === null ? '' : PUBLIC_PICTURE_PATH + name)
