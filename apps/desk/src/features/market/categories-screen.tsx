import { directionOf, LANGUAGE_CODES, type LanguageCode, tagOf } from '@fairlot/contract'
import {
  categoriesFile,
  CATEGORY_LENGTH,
  type DeskCategory,
  listDeskCategories,
  removeCategory,
  saveCategory,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { useCallback, useState } from 'react'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import { deskNameOf } from './category-names.ts'

const COLUMNS: readonly Column<DeskCategory>[] = [
  { key: 'name', title: 'Category', cell: deskNameOf, onPhone: 'title' },
  { key: 'code', title: 'Code', cell: ({ code }) => code },
  {
    key: 'languages',
    title: 'Languages',
    cell: ({ names }) => `${names.length} of ${LANGUAGE_CODES.length}`,
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'instruments',
    title: 'Instruments',
    cell: ({ instruments }) => instruments,
    align: 'end',
    onPhone: 'figure',
  },
]

/** The categories of instruments, in the order in which users see them. */
export function CategoriesScreen({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskCategories, null)
  const [openId, setOpenId] = useState<number | null>(null)
  const [openDialog, setOpenDialog] = useState<'new' | 'edit' | 'remove' | null>(null)
  const mayEdit = useMay('editCategories')
  const categories = data?.categories ?? []
  const open = categories.find(({ id }) => id === openId)
  const close = () => setOpenDialog(null)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: deskNameOf(open),
              body: <CategoryDetail category={open} mayEdit={mayEdit} />,
              actions: mayEdit && (
                <>
                  {open.instruments === 0 && (
                    <Button tone="danger" onClick={() => setOpenDialog('remove')}>
                      Remove
                    </Button>
                  )}
                  <Button onClick={() => setOpenDialog('edit')}>Edit</Button>
                </>
              ),
            }
          : null
      }
    >
      <Page
        title="Market"
        filter={filter}
        file={<CsvButton file={categoriesFile} input={null} />}
        actions={
          mayEdit && (
            <Button size="small" onClick={() => setOpenDialog('new')}>
              New
            </Button>
          )
        }
      >
        <DataTable
          label="Categories"
          columns={COLUMNS}
          rows={data?.categories}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No category yet', text: 'Users find instruments by category.' }}
        />
      </Page>
      {openDialog === 'new' && <CategoryDialog category={null} categories={categories} onClose={close} />}
      {openDialog === 'edit' && open && (
        <CategoryDialog category={open} categories={categories} onClose={close} />
      )}
      {openDialog === 'remove' && open && (
        <RemoveCategoryDialog category={open} onDone={() => setOpenId(null)} onClose={close} />
      )}
    </SplitView>
  )
}

function CategoryDetail({ category, mayEdit }: { category: DeskCategory; mayEdit: boolean }) {
  const { code, names, instruments } = category
  return (
    <>
      <DetailHead kind={`Category ${category.id}`} title={deskNameOf(category)} />
      <FactList
        facts={[
          { label: 'Code', value: code },
          { label: 'Instruments, including announced changes', value: instruments },
          ...names.map(({ language, name }) => ({
            label: LANGUAGE_NAMES[language],
            value: (
              <span lang={tagOf(language)} dir={directionOf(language)}>
                {name}
              </span>
            ),
          })),
        ]}
      />
      <TitledBox title={instruments === 0 ? 'Empty category' : 'Cannot be removed'}>
        <p>
          {instruments === 0
            ? 'Users see it once an instrument is moved into it by a change of terms.'
            : mayEdit
              ? 'Move its instruments into other categories first.'
              : 'Dealing and administrators can rename or reorder it.'}
        </p>
      </TitledBox>
    </>
  )
}

type Names = Readonly<Partial<Record<LanguageCode, string>>>

type CategoryDialogProps = {
  /** Null for a new one. */
  category: DeskCategory | null
  /** All categories, in their order. */
  categories: readonly DeskCategory[]
  onClose: () => void
}

/** Adds, renames or reorders a category. */
function CategoryDialog({ category, categories, onClose }: CategoryDialogProps) {
  const others = categories.filter(({ id }) => id !== category?.id)
  const before = category ? categories[categories.indexOf(category) - 1] : others.at(-1)
  // Names that another operator has saved meanwhile are not replaced.
  const key = `category ${category?.id} ${category?.version}`
  const [code, setCode] = useKeptState(`${key} code`, category?.code ?? '')
  const [behind, setBehind] = useKeptState(`${key} position`, String(before?.id ?? ''))
  const [names, setNames] = useKeptState<Names>(key, () =>
    Object.fromEntries(category?.names.map(({ language, name }) => [language, name]) ?? []),
  )
  const written = LANGUAGE_CODES.flatMap((language) => {
    const name = names[language]?.trim() ?? ''
    return name === '' ? [] : { language, name }
  })
  const check = () => {
    if (code.trim() === '') return 'Enter a code first.'
    return written.length === 0 ? 'Enter a name in at least one language.' : null
  }
  return (
    <ReasonDialog
      title={category ? `Edit ${deskNameOf(category)}` : 'New category'}
      endpoint={saveCategory}
      inputOf={(reason) => ({
        id: category?.id ?? null,
        version: category?.version ?? 0,
        code: code.trim(),
        names: written,
        behind: behind === '' ? null : Number(behind),
        reason,
      })}
      check={check}
      labels={{ ...LANGUAGE_NAMES, code: 'Code' }}
      submitLabel="Save"
      done="Category saved. Users see it at once."
      onClose={onClose}
    >
      {category === null && (
        <TextField
          label="Code"
          hint="It cannot be changed later: instrument terms refer to it."
          maxLength={CATEGORY_LENGTH}
          value={code}
          onChange={setCode}
        />
      )}
      <SelectField
        label="Position"
        value={behind}
        options={[
          { value: '', label: 'first' },
          ...others.map((other) => ({ value: String(other.id), label: `after ${deskNameOf(other)}` })),
        ]}
        onChange={setBehind}
      />
      <fieldset className="min-w-0">
        <legend className="pb-1 text-note font-bold">Name</legend>
        <p className="pb-2 text-note text-second">
          Where a name is missing in their language, users see the English one, then the Chinese, then any
          other.
        </p>
        <div className="grid grid-cols-2 gap-3 tablet:grid-cols-3">
          {LANGUAGE_CODES.map((language) => (
            <TextField
              key={language}
              label={LANGUAGE_NAMES[language]}
              lang={tagOf(language)}
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

const RemoveCategoryDialog = ({ category, onDone, onClose }: RemoveCategoryDialogProps) => (
  <ReasonDialog
    title={`Remove ${deskNameOf(category)}`}
    text="It has no instruments, so users do not see it."
    endpoint={removeCategory}
    inputOf={(reason) => ({ id: category.id, version: category.version, reason })}
    submitLabel="Remove"
    tone="danger"
    done="Category removed."
    onDone={onDone}
    onClose={onClose}
  />
)
