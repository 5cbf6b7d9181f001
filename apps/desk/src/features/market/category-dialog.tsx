import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import { CATEGORY_LENGTH, removeCategory, saveCategory, type DeskCategory } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { deskNameOf } from './category-names.ts'

type Names = Readonly<Partial<Record<LanguageCode, string>>>

type CategoryDialogProps = {
  /** Null for one that is to be made. */
  category: DeskCategory | null
  /** All of them, in their order. */
  categories: readonly DeskCategory[]
  onClose: () => void
}

/** Makes a category, renames it, or puts it in another place. */
export function CategoryDialog({ category, categories, onClose }: CategoryDialogProps) {
  const others = categories.filter(({ id }) => id !== category?.id)
  const before = category ? categories[categories.indexOf(category) - 1] : others.at(-1)
  const [code, setCode] = useState(category?.code ?? '')
  const [behind, setBehind] = useState(String(before?.id ?? ''))
  const [names, setNames] = useState<Names>(
    Object.fromEntries(category?.names.map(({ language, name }) => [language, name]) ?? []),
  )
  const written = LANGUAGE_CODES.flatMap((language) => {
    const name = names[language]?.trim() ?? ''
    return name === '' ? [] : { language, name }
  })
  const check = () => {
    if (code.trim() === '') return 'Give it a code first.'
    return written.length === 0 ? 'Write its name in at least one language.' : null
  }
  return (
    <ReasonDialog
      title={category ? `Edit ${deskNameOf(category)}` : 'New category'}
      endpoint={saveCategory}
      inputOf={(reason) => ({
        ...{ id: category?.id ?? null, version: category?.version ?? 0, code: code.trim(), names: written },
        ...{ behind: behind === '' ? null : Number(behind), reason },
      })}
      check={check}
      labels={{ ...LANGUAGE_NAMES, code: 'Code' }}
      sendLabel="Save"
      done="The category is saved. Traders see it at once."
      onClose={onClose}
    >
      {category === null && (
        <TextField
          label="Code"
          hint="For ever the same: terms of instruments and files name it so."
          maxLength={CATEGORY_LENGTH}
          value={code}
          onChange={setCode}
        />
      )}
      <SelectField
        label="Stands"
        value={behind}
        options={[
          { value: '', label: 'first' },
          ...others.map((other) => ({ value: String(other.id), label: `behind ${deskNameOf(other)}` })),
        ]}
        onChange={setBehind}
      />
      <fieldset className="min-w-0">
        <legend className="pb-1 text-note font-bold">Name</legend>
        <p className="pb-2 text-note text-second">
          A reader without one of their own language reads the English one, else the Chinese, else any.
        </p>
        <div className="grid grid-cols-2 gap-3 tablet:grid-cols-3">
          {LANGUAGE_CODES.map((language) => (
            <TextField
              key={language}
              label={LANGUAGE_NAMES[language]}
              lang={LANGUAGE_TAGS[language]}
              dir={directionOf(language)}
              maxLength={CATEGORY_LENGTH}
              value={names[language] ?? ''}
              onChange={(name) => setNames({ ...names, [language]: name })}
            />
          ))}
        </div>
      </fieldset>
    </ReasonDialog>
  )
}

type RemoveCategoryDialogProps = { category: DeskCategory; onDone: () => void; onClose: () => void }

/** Removes a category that nothing is in. */
export const RemoveCategoryDialog = ({ category, onDone, onClose }: RemoveCategoryDialogProps) => (
  <ReasonDialog
    title={`Remove ${deskNameOf(category)}`}
    text="No instrument is in it, so traders do not see it now."
    endpoint={removeCategory}
    inputOf={(reason) => ({ id: category.id, version: category.version, reason })}
    sendLabel="Remove"
    tone="danger"
    done="The category is removed."
    onDone={onDone}
    onClose={onClose}
  />
)
